import json
from pathlib import Path

from tests.findings.sample import HOSTILE, case, fixed_report, report_of, result

from ragstone.result import Result
from ragstone.show.formats.jsonl import as_json, lines


def test_json_lines_have_one_result_per_line() -> None:
    report = fixed_report()
    read = [Result.model_validate_json(line) for line in lines(report)]
    assert read == [found for _, found in report.flat()]


def test_hostile_text_round_trips_through_json_lines() -> None:
    written = "".join(lines(report_of(HOSTILE)))
    rows = [json.loads(line) for line in written.rstrip("\n").split("\n")]
    assert len(rows) == written.count("\n") == 5
    assert rows[0]["reason"] == HOSTILE
    assert rows[0]["metadata"]["half a pair"] == "\ud83d"


def test_non_json_values_are_written_as_repr() -> None:
    found = result(case(1), 1.0, metadata={"thing": object(), "path": Path("x")})
    assert json.loads(as_json(found))["metadata"]["thing"].startswith("<object")


def test_nan_is_written_as_null() -> None:
    assert json.loads(as_json(result(case(1), 1.0, metadata={"x": float("nan")})))["metadata"]["x"] is None
