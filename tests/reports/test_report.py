import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.reports.sample import case, fixed_report, result

from ragstone.reports import Report


def report_on(*scores: float | None, **fields: object) -> Report:
    item = case(1)
    return replace(
        fixed_report(),
        rejected=[],
        cases=[item],
        results=[[result(item, score, **fields) for score in scores]],
    )


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (report_on(1.0, 1.0), 0),
        (report_on(1.0, 0.1), 1),
        (report_on(None, skipped=True), 0),
        (report_on(1.0, None, error="TimedOut: late"), 3),
        (replace(report_on(1.0), rejected=["line 2"]), 3),
        (replace(report_on(0.1), complete=False), 3),
    ],
)
def test_exit_codes(report: Report, code: int) -> None:
    assert report.exit_code == code


def test_a_failure_is_in_no_mean() -> None:
    summary = fixed_report().summary()["Faithfulness"]
    assert (summary.n, summary.failed, summary.skipped) == (10, 2, 0)
    assert summary.mean == pytest.approx((4 * 1.0 + 5 * 0.8 + 1 / 3) / 10)


def test_what_was_skipped_is_neither_measured_nor_failed() -> None:
    summary = fixed_report().summary()["Helpful"]
    assert (summary.n, summary.failed, summary.skipped) == (4, 0, 8)


def test_metrics_that_share_a_title_are_kept_apart() -> None:
    item = case(1)
    both = [result(item, 1.0, spec="a"), result(item, 0.0, spec="b")]
    assert set(replace(fixed_report(), cases=[item], results=[both]).summary()) == {"a", "b"}


def test_the_cost_is_unknown_where_one_price_is() -> None:
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


def test_a_data_frame_has_a_row_a_result() -> None:
    frame = fixed_report().to_pandas()
    assert len(frame) == 36
    assert frame["score"].count() == 26
