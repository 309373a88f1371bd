import json
from pathlib import Path

from tests.reports.sample import HOSTILE, case, fixed_report, report_of, result

from ragstone.reports.formats.jsonl import as_json, lines
from ragstone.result import Result


def test_a_line_is_one_result_in_input_order() -> None:
    report = fixed_report()
    read = [Result.model_validate_json(line) for line in lines(report)]
    assert read == [found for _, found in report.flat()]


def test_hostile_text_stays_on_its_line_and_comes_back_unchanged() -> None:
    written = "".join(lines(report_of(HOSTILE)))
    rows = [json.loads(line) for line in written.rstrip("\n").split("\n")]
    assert len(rows) == written.count("\n") == 5
    assert rows[0]["reason"] == HOSTILE
    assert rows[0]["metadata"]["half a pair"] == "\ud83d"


def test_what_json_cannot_hold_is_written_as_its_repr() -> None:
    found = result(case(1), 1.0, metadata={"thing": object(), "path": Path("x")})
    assert json.loads(as_json(found))["metadata"]["thing"].startswith("<object")


def test_a_number_that_json_cannot_hold_is_null() -> None:
    assert json.loads(as_json(result(case(1), 1.0, metadata={"x": float("nan")})))["metadata"]["x"] is None
