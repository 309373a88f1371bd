import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.findings.sample import case, fixed_report, result
from tests.testing.for_each import for_each

from ragstone.errors import BadOption, UnknownName
from ragstone.findings import Report


def report_on(*scores: float | None, **fields: Any) -> Report:
    item = case(1)
    return replace(
        fixed_report(),
        rejected=[],
        cases=[item],
        results=[[result(item, score, **fields) for score in scores]],
    )


@for_each(
    "report, code",
    [
        (report_on(1.0, 1.0), 0),
        (report_on(1.0, 0.1), 1),
        (report_on(None, skipped=True), 3),
        (report_on(1.0, None, error="TimedOut: late"), 3),
        (replace(report_on(1.0), rejected=["line 2"]), 3),
        (replace(report_on(0.1), complete=False), 3),
    ],
)
def test_exit_codes(report: Report, code: int) -> None:
    assert report.exit_code == code


def test_mean_excludes_failed_measurements() -> None:
    summary = fixed_report().summary()["Faithfulness"]
    assert (summary.n, summary.not_measured, summary.skipped) == (10, 2, 0)
    assert summary.mean == pytest.approx((4 * 1.0 + 5 * 0.8 + 1 / 3) / 10)


def test_skipped_results_are_not_measured_or_failed() -> None:
    summary = fixed_report().summary()["Helpful"]
    assert (summary.n, summary.not_measured, summary.skipped) == (4, 0, 8)


def test_metrics_that_share_a_title_are_kept_apart() -> None:
    item = case(1)
    both = [result(item, 1.0, spec="a"), result(item, 0.0, spec="b")]
    assert set(replace(fixed_report(), cases=[item], results=[both]).summary()) == {"a", "b"}


def test_cost_is_none_when_one_price_is_unknown() -> None:
    assert fixed_report().cost is None
    assert report_on(1.0, 1.0).cost == pytest.approx(0.002)
    assert fixed_report().usage.calls == 108


def test_json_lines_are_written_whole(tmp_path: Path) -> None:
    fixed_report().to_jsonl(tmp_path / "a.jsonl")
    assert [json.loads(line)["metric"] for line in (tmp_path / "a.jsonl").read_text().splitlines()][:3] == [
        "Faithfulness",
        "Hallucination",
        "Helpful",
    ]


def test_to_pandas_has_one_row_per_result() -> None:
    frame: Any = fixed_report().to_pandas()
    assert len(frame) == 36
    assert frame["score"].count() == 26


def test_a_report_is_a_collection_of_test_cases_with_their_results() -> None:
    report = fixed_report()
    assert len(report) == len(report.cases) == len(list(report))
    assert [item.case for item in report] == list(report.cases)
    assert [list(results) for _, results in report] == [list(results) for results in report.results]
    first = report[0]
    assert (first.id, first.input) == (report.cases[0].id, report.cases[0].input)
    assert first.passed is all(result.success for result in first.results)
    assert report[-1].case == report.cases[-1]


def test_the_results_of_a_metric_are_found_by_its_name_or_spec() -> None:
    report = fixed_report()
    found = report["Faithfulness"]
    assert list(found) == report.by_metric()["Faithfulness"]
    assert list(report["faithfulness"]) == list(found)
    assert found.mean == report.summary()["Faithfulness"].mean
    assert found.scores == [result.score for result in found]
    assert found.failures == [result for result in found if not result.success]
    assert not found.passed
    with pytest.raises(UnknownName, match="Did you mean 'Faithfulness'"):
        report["Faithfullness"]


def test_failures_exclude_skipped_results() -> None:
    report = replace(report_on(1.0, 0.1, None), results=[])
    item = case(1)
    mixed = [result(item, 1.0), result(item, 0.1), result(item, None, error="TimedOut: late")]
    report = replace(report, cases=[item], results=[[*mixed, result(item, None, skipped=True)]])
    assert report.failures == mixed[1:]
    assert not report.passed
    assert report_on(1.0).passed
    assert not report_on(1.0).failures


@pytest.mark.parametrize("name", ["r.html", "r.md", "r.json", "r.jsonl", "r.csv", "r.xml"])
def test_save_uses_the_format_of_the_suffix(name: str, tmp_path: Path) -> None:
    fixed_report().save(tmp_path / name)
    assert "Faithfulness" in (tmp_path / name).read_text(encoding="utf-8")


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"there is no report format with the suffix '\.pdf'"):
        fixed_report().save(tmp_path / "r.pdf")


def test_str_shows_metrics_without_cases() -> None:
    text = str(fixed_report())
    assert "Faithfulness" in text
    assert "95 %" in text or "passed" in text
    assert "WORST FIRST" not in text
    assert "\x1b" not in text
    assert repr(fixed_report()).startswith("<Report of run")


def test_to_json_equals_the_saved_document(tmp_path: Path) -> None:
    fixed_report().save(tmp_path / "r.json")
    assert fixed_report().to_json() == (tmp_path / "r.json").read_text(encoding="utf-8")
