"""JSON lines of a stored run: the results as they were written, in SQLite and in PostgreSQL."""

import json

import pytest
from sqlalchemy import text

from ragstone import TestCase, evaluate
from ragstone.findings.stored import stored_report
from ragstone.metrics import ExactMatch
from ragstone.show.formats.jsonl import as_json, lines
from ragstone.store.read.sequences import StoredResults
from ragstone.store.schema.connect import connect

NASTY = "NUL \x00, umlaut \u00e4, line\nbreak, quote \"'"
CASES = [
    TestCase(input=f"q{number}", actual_output=NASTY, expected_output="b" if number % 2 else NASTY)
    for number in range(3)
]


@pytest.mark.parametrize("version", [None, "0.0.1"])
def test_lines_of_a_stored_run_are_its_results_in_input_order(store_url: str, version: str | None) -> None:
    evaluate(CASES, [ExactMatch(), ExactMatch(case_sensitive=False)], store=store_url)
    if version is not None:
        with connect(store_url).begin() as connection:
            connection.execute(text("UPDATE runs SET version = :version"), {"version": version})
    report = stored_report("last", store_url)
    assert isinstance(report.results, StoredResults)
    assert (report.results.json_lines() is None) == (version is not None)
    assert list(lines(report)) == [f"{as_json(result)}\n" for _, result in report.flat()]
    assert len(list(lines(report))) == 6


def test_lone_surrogate_is_written_as_stored(store_url: str) -> None:
    evaluate(
        [TestCase(input="q", actual_output="\ud83d", expected_output="b")], [ExactMatch()], store=store_url
    )
    report = stored_report("last", store_url)
    assert [json.loads(line) for line in lines(report)] == [
        result.model_dump(mode="json") for _, result in report.flat()
    ]
