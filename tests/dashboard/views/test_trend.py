"""A line joins what can be compared: runs over one dataset by one judge."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.dashboard.runs import keep

from ragstone.dashboard.views.trend import metric_trends
from ragstone.findings.view.metric_names import metric_names
from ragstone.store import RunLine, RunQuery, open_store


def _lines(folder: Path, *plans: Mapping[str, Any]) -> list[RunLine]:
    store = open_store(folder / "runs.sqlite3")
    for plan in plans:
        keep(store, **plan)
    lines = list(store.history(RunQuery(limit=100)).lines)
    store.close()
    return lines


def test_trend_lines_are_separate_for_each_dataset_and_judge(tmp_path: Path) -> None:
    one, other = {"dataset": "faq.jsonl", "judge": "local"}, {"dataset": "manual.jsonl", "judge": "local"}
    third = {"dataset": "faq.jsonl", "judge": "openai:gpt-4o-mini"}
    found = metric_trends(_lines(tmp_path, one, one, one, other, other, third))
    lines = [(trend.spec, trend.n, trend.where) for trend in found]
    assert sorted(lines) == sorted(
        (spec, n, where)
        for spec in ("answer_relevancy", "faithfulness")
        for n, where in ((3, "faq.jsonl by local"), (2, "manual.jsonl by local"))
    )
    assert all(trend.where in trend.words for trend in found)


def test_run_over_a_part_of_the_cases_is_on_no_line_with_the_whole(tmp_path: Path) -> None:
    whole, part = {"scores": [0.5] * 8}, {"scores": [0.9] * 3}
    lines = _lines(tmp_path, whole, part, whole, part)
    assert {trend.n for trend in metric_trends(lines)} == {2}
    assert {trend.n for trend in metric_trends(lines[:2])} == set()


def test_runs_over_other_questions_are_on_no_line(tmp_path: Path) -> None:
    lines = _lines(tmp_path, {}, {})
    numbers = [line.number for line in lines]
    assert metric_trends(lines, questions=dict.fromkeys(numbers, "same"))
    assert not metric_trends(lines, questions={number: number for number in numbers})


def test_trend_shows_the_display_name_of_the_dataset(tmp_path: Path) -> None:
    plan = {"dataset": "/home/me/datasets/0123456789abcdef.jsonl"}
    (first, *_) = metric_trends(_lines(tmp_path, plan, plan), lambda _: "faq.jsonl")
    assert first.where == "faq.jsonl by local"


def test_labels_distinguish_two_specs_of_one_metric(tmp_path: Path) -> None:
    (line,) = _lines(tmp_path, {})
    both = [
        line.metrics[0],
        type(line.metrics[0])(**{**_values(line.metrics[0]), "spec": "answer_relevancy(threshold=0.9)"}),
    ]
    assert metric_names(both) == {
        "answer_relevancy": "AnswerRelevancy",
        "answer_relevancy(threshold=0.9)": "AnswerRelevancy(threshold=0.9)",
    }
    assert metric_names(both[:1]) == {"answer_relevancy": "AnswerRelevancy"}


def test_trend_lines_distinguish_two_specs_of_one_metric(tmp_path: Path) -> None:
    """Each run has one of them, so that neither shares its title with another of its run."""
    specs = ("faithfulness", "faithfulness(threshold=0.9)")
    lines = [
        replace(line, metrics=(replace(line.metrics[1], spec=specs[place % 2]),))
        for place, line in enumerate(_lines(tmp_path, {}, {}, {}, {}))
    ]
    found = metric_trends(lines)
    assert sorted(trend.metric for trend in found) == ["Faithfulness", "Faithfulness(threshold=0.9)"]
    assert all(trend.words.startswith(trend.metric) for trend in found)


def _values(line: object) -> dict[str, object]:
    return {name: getattr(line, name) for name in type(line).__dataclass_fields__}  # type: ignore[attr-defined]
