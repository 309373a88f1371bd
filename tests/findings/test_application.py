"""What the answers of an application took, in one run and between two."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import invoke

from ragstone import Report, evaluate
from ragstone.errors import BadOption
from ragstone.findings.application import application_figures, mean_variances
from ragstone.findings.comparison import compare
from ragstone.metrics import ExactMatch

QUESTIONS = [{"input": f"Question {n}?", "expected_output": f"Answer {n}."} for n in range(100)]


def run(name: str, *, factor: float = 1.0, wrong: int = 0, broken: int = 0, **options: Any) -> Report:
    """A run whose answers cost 1 to 2 cents times a factor; the first ones are wrong, the last ones missing."""

    def app(question: str) -> dict[str, Any]:
        number = int(re.findall(r"\d+", question)[0])
        if number >= len(QUESTIONS) - broken:
            raise RuntimeError("down")
        cost = factor * (1 + random.Random(number).random()) / 100
        answer = "no" if number < wrong else f"Answer {number}."
        return {"answer": answer, "cost": cost, "usage": {"prompt_tokens": 300, "completion_tokens": number}}

    return evaluate(QUESTIONS, [ExactMatch()], app=app, name=name, **options)


def test_figures_of_answers_leave_failures_out() -> None:
    found = application_figures(run("one", broken=4))
    assert found is not None
    assert (found.asked, found.failed) == (100, 4)
    assert found.failure_interval.low < 0.04 < found.failure_interval.high
    by_name = {each.quantity: each for each in found.quantities}
    assert {name: each.n for name, each in by_name.items()} == {"latency": 96, "tokens": 96, "cost": 96}
    assert by_name["tokens"].median.value == 347
    assert by_name["tokens"].total == sum(300 + n for n in range(96))
    assert by_name["cost"].interval.low < by_name["cost"].mean < by_name["cost"].interval.high
    assert application_figures(evaluate([{**QUESTIONS[0], "answer": "a"}], [ExactMatch()])) is None


def test_report_has_a_section_on_the_application() -> None:
    text = " ".join(str(run("one", broken=4)).split())
    assert "APPLICATION" in text
    assert "4 of 100 questions failed: 4 % (2 % to 10 %)" in text
    assert "95th percentile" in run("one").to_html()
    written = json.loads(run("one", broken=4).to_json())["application"]
    assert (written["asked"], written["failed"]) == (100, 4)
    assert [each["quantity"] for each in written["quantities"]] == ["latency", "tokens", "cost"]
    row = next(line for line in run("one", broken=4).to_markdown().splitlines() if line.startswith("| cost"))
    assert row.replace("\\", "").startswith("| cost | $0.0147 ($0.0141 to $0.0153) |")
    assert row.replace("\\", "").endswith("| $1.41 |")


def test_comparison_tells_cost_and_whether_quality_is_not_worse() -> None:
    before, after = run("before"), run("after", factor=0.6, wrong=1)
    found = compare(before, after, margin=0.1)
    cost = next(each for each in found.application if each.quantity == "cost")
    assert cost.mean is not None
    assert cost.mean.ratio == pytest.approx(0.6)
    text = " ".join(found.to_markdown().split())
    assert "cheaper by 40 % (40 to 40)" in text
    assert "not worse by more than 0.1 (95 %)" in text
    assert (found.not_worse, found.exit_code) == (True, 0)
    narrow = compare(before, after, margin=0.02)
    assert (narrow.not_worse, narrow.exit_code) == (False, 3)
    assert "not shown: not worse by more than 0.02" in " ".join(narrow.to_markdown().split())
    assert compare(before, after).not_worse is None
    faster = run("faster", app_concurrency=16)
    assert any("latencies are not comparable" in warning for warning in compare(before, faster).warnings)
    with pytest.raises(BadOption, match="margin=2"):
        compare(before, after, margin=2)


def test_runs_in_a_store_are_compared_alike(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    before, after = run("before", store=store), run("after", factor=0.6, store=store)
    assert compare("before", "after", store=store).application == compare(before, after).application
    done = invoke("compare", "before", "after", "--store", store, "--margin", "0.1", "--fail-on-regression")
    assert done.exit_code == 0
    assert "APPLICATION" in done.stdout


def test_variance_of_a_mean_is_split_into_cases_and_application(store_url: str) -> None:
    """Half of the questions are always right, the others right in half of their answers."""
    asked: dict[str, int] = {}

    def app(question: str) -> str:
        number, time = int(re.findall(r"\d+", question)[0]), asked.get(question, 0)
        asked[question] = time + 1
        return f"Answer {number}." if number % 2 or time % 2 else "no"

    report = evaluate(QUESTIONS, [ExactMatch()], app=app, app_repeats=4, app_concurrency=1, store=store_url)
    (variance,) = mean_variances(report)
    cases, application = variance.found.components
    assert application.variance == pytest.approx(1 / 6)
    assert cases.variance == pytest.approx(100 / 99 / 16 - 1 / 24)
    assert application.low < application.variance < application.high
    text = " ".join(report.to_markdown().split())
    assert "4 answers to each question" in text
    assert "twice the questions by 29 %, twice --app-repeats by 18 %: next, raise --app-repeats" in text
    assert mean_variances(evaluate(QUESTIONS, [ExactMatch()], app=app)) == ()
