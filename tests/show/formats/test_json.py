import io
import json
from dataclasses import replace
from typing import Any

from tests.findings.sample import HOSTILE, fixed_report, report_of

from ragstone.findings import Report
from ragstone.result import Result
from ragstone.run import Run
from ragstone.show.formats.json import write


def written(report: Report) -> dict[str, Any]:
    file = io.BytesIO()
    write(report, file)
    return json.loads(file.getvalue())


def test_json_document_has_run_cases_and_results() -> None:
    report = fixed_report()
    document = written(report)
    assert Run.model_validate(document["run"]) == report.run
    assert document["run"]["plan"]["judge"] == "openai:gpt-4o-mini"
    assert [Result.model_validate(row) for row in document["cases"][2]["results"]] == report.results[2]
    assert document["cases"][2]["case"]["input"] == report.cases[2].input
    assert (document["exit_code"], document["complete"], document["cost"]) == (3, True, None)
    assert document["rejected"] == report.rejected


def test_json_summary_equals_the_report_summary() -> None:
    document, summary = written(fixed_report()), fixed_report().summary()["Faithfulness"]
    found = document["summary"]["Faithfulness"]
    assert (found["mean"], found["n"], found["not_measured"]) == (
        summary.mean,
        summary.n,
        summary.not_measured,
    )
    assert (found["interval"]["low"], found["interval"]["high"]) == (
        summary.interval.low,
        summary.interval.high,
    )
    assert document["summary"]["Helpful"]["too_few"] is True


def test_hostile_text_round_trips_through_json() -> None:
    document = written(report_of(HOSTILE))
    assert document["cases"][0]["case"]["actual_output"] == HOSTILE
    assert document["run"]["notes"] == [HOSTILE]


def test_empty_run_is_written_as_json() -> None:
    assert written(replace(fixed_report(), cases=[], results=[]))["cases"] == []
