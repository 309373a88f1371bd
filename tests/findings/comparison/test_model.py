import json
import random
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from tests.findings.sample import HOSTILE, run
from tests.testing.for_each import for_each

import ragstone
from ragstone import Report, TestCase, compare
from ragstone.errors import BadOption, UnknownName
from ragstone.findings.comparison import RunComparison
from ragstone.result import Result
from ragstone.show.render.console import plain_console, show

METRICS = {"Faithfulness": True, "Hallucination": False}


def report(
    scores: list[list[float | None]], *, questions: str = "q{}", threshold: float = 0.5, **plan: Any
) -> Report:
    """A report with one list of scores a metric of METRICS, over as many cases."""
    names = list(METRICS)[: len(scores)]
    cases = [
        TestCase(input=questions.format(n), id=f"c{n}", metadata={"doc": n // 4})
        for n in range(len(scores[0]))
    ]
    results = [
        [_result(name, case, column[n], threshold) for name, column in zip(names, scores, strict=True)]
        for n, case in enumerate(cases)
    ]
    return Report(run=run(**plan), cases=cases, results=results)


def _result(name: str, case: TestCase, score: float | None, threshold: float) -> Result:
    higher = METRICS[name]
    success = score is not None and (score >= threshold if higher else score <= threshold)
    error = "TimedOut: late" if score is None else None
    spec = name.lower() if threshold == 0.5 else f"{name.lower()}(threshold={threshold})"
    return Result(
        metric=name, spec=spec, score=score, success=success, case_id=case.id, threshold=threshold,
        higher_is_better=higher, error=error, reason=f"because of {case.id}",
    )  # fmt: skip


def scores(seed: int, n: int = 60, shift: float = 0.0) -> list[float | None]:
    draw = random.Random(seed)
    return [min(1.0, max(0.0, draw.gauss(0.7 + shift, 0.15))) for _ in range(n)]


def terminal(found: RunComparison, width: int = 100) -> str:
    file = StringIO()
    show(found.document(), plain_console(file, width=width))
    return file.getvalue()


def test_regression_is_reported_with_interval_and_flips() -> None:
    before = scores(1)
    after = [max(0.0, (score or 0.0) - 0.2) for score in before]
    found = compare(report([before]), report([list(after)]))
    (metric,) = found.metrics
    assert found.regressed
    assert found.exit_code == 1
    assert metric.comparison.sentence().startswith("Faithfulness fell by 0.20 (95 %: ")
    assert metric.comparison.worse == 60
    assert found.verdict == "Faithfulness got worse."
    assert metric.broke == len(metric.flips) > 0
    assert metric.flips[0].reason == f"because of {metric.flips[0].case_id}"


def test_no_difference_reports_the_cases_needed() -> None:
    found = compare(report([scores(3)]), report([scores(2)]))
    assert not found.regressed
    assert found.exit_code == 0
    assert "no difference this dataset could show (smallest: 0.11)" in found.metrics[0].comparison.sentence()
    assert found.metrics[0].needed is not None
    assert found.metrics[0].needed > 60
    assert compare(report([scores(3)]), report([scores(2)]), worth=0.5).metrics[0].needed < 10  # type: ignore[operator]


def test_lower_is_better_where_the_metric_says_so() -> None:
    rose = compare(
        report([scores(3), scores(4)]), report([scores(3), [min(1.0, (s or 0) + 0.2) for s in scores(4)]])
    )
    assert [metric.comparison.verdict for metric in rose.metrics] == ["no difference shown", "worse"]
    assert rose.verdict == "Hallucination got worse; no difference shown in 1 more."


def test_metrics_are_corrected_together() -> None:
    before = report([scores(5, 20), scores(6, 20)])
    found = compare(before, report([scores(7, 20), scores(8, 20)]))
    for metric in found.metrics:
        assert metric.comparison.adjusted_p >= metric.comparison.p_value


def test_false_alarm_rate_is_at_most_5_percent() -> None:
    """Two runs that differ by chance alone, two metrics each, 200 times: at most 5 % may be called worse or better."""
    alarms = 0
    for seed in range(200):
        found = compare(
            report([scores(4 * seed, 25), scores(4 * seed + 1, 25)]),
            report([scores(4 * seed + 2, 25), scores(4 * seed + 3, 25)]),
        )
        alarms += any(metric.comparison.verdict != "no difference shown" for metric in found.metrics)
    assert alarms <= 18  # 10 expected; 18 is the 99 % point of the binomial


def test_comparison_without_common_scores_exits_3() -> None:
    old, new = report([scores(1, 3)]), report([[None, None, None]])
    found = compare(old, new)
    assert not found.measured
    assert found.exit_code == 3
    assert "Nothing could be compared" in found.verdict
    assert "Nothing could be compared" in terminal(found)
    assert json.loads(found.to_json())["metrics"][0]["interval"] is None


def test_cases_and_metrics_of_only_one_run_are_listed() -> None:
    old, new = report([scores(1, 12)]), report([scores(1, 14), scores(2, 14)])
    new = replace(new, cases=new.cases[2:], results=new.results[2:])
    found = compare(old, new)
    assert (found.cases, found.only_before, found.only_after) == (10, ("c0", "c1"), ("c12", "c13"))
    assert found.metrics_only_after == ("hallucination",)
    for text in (terminal(found), found.to_markdown()):
        assert "2 cases only in the earlier run: c0, c1" in text
        assert "1 metric only in the later run: hallucination" in text


@for_each(
    "before, after, message",
    [
        ({"judge": "openai:a"}, {"judge": "openai:b"}, "The judges differ: openai:a before, openai:b after."),
        ({"prompts": {"P": "1"}}, {"prompts": {"P": "2"}}, "The judge's prompts differ: P."),
        ({"prompts": {"P": "1"}}, {}, "The later run does not record the judge's prompts"),
        ({}, {"repeats": 3}, "measured once before and 3 times after"),
        ({}, {"threshold": 0.9}, "passes at 0.50 before and at 0.90 after"),
    ],
)
def test_differing_run_settings_give_a_warning(
    before: dict[str, Any], after: dict[str, Any], message: str
) -> None:
    found = compare(report([scores(1, 12)], **before), report([scores(1, 12)], **after))
    assert any(message in warning for warning in found.warnings)
    assert message in " ".join(terminal(found).replace("\n ", " ").split())


def test_equal_prompts_raise_no_warning() -> None:
    alike: dict[str, Any] = {"prompts": {"P": "1"}}
    assert compare(report([scores(1, 12)], **alike), report([scores(2, 12)], **alike)).warnings == ()


def test_cases_lost_to_failures_give_a_warning() -> None:
    after = scores(1, 12)
    after[3] = after[5] = None
    found = compare(report([scores(1, 12)]), report([after]))
    assert found.metrics[0].lost == 2
    assert "2 cases scored before have no score after" in found.warnings[0]


def test_cluster_option_sets_the_independent_units() -> None:
    before, after = report([scores(1)]), report([scores(2)])
    alone, grouped = compare(before, after), compare(before, after, cluster="doc")
    assert grouped.metrics[0].comparison.interval.units == 15
    assert alone.metrics[0].comparison.interval.units == 60
    assert compare(before, report([scores(2)], cluster="doc")).metrics[0].comparison.interval.units == 15
    with pytest.raises(UnknownName, match="dok"):
        compare(before, after, cluster="dok")


@for_each("worth", [0, -0.1, 1.5])
def test_worth_outside_0_to_1_is_refused(worth: float) -> None:
    with pytest.raises(BadOption, match="worth="):
        compare(report([scores(1, 3)]), report([scores(1, 3)]), worth=worth)


def test_few_cases_are_too_few_to_say() -> None:
    found = compare(report([[1.0, 1.0, 1.0]]), report([[0.0, 0.0, 0.0]]))
    assert "too few" in found.metrics[0].comparison.sentence()
    assert "too few to say" in terminal(found)
    assert "too few to say" in found.to_markdown()


def test_comparison_json_and_markdown_match_the_terminal() -> None:
    found = compare(report([scores(1)]), report([scores(2, shift=-0.3)]))
    document = json.loads(found.to_json())
    assert document["regressed"] is True
    assert document["metrics"][0]["sentence"] in terminal(found).replace("\n  ", " ")
    assert document["metrics"][0]["flips"][0]["broke"] is True
    assert found.verdict in found.to_markdown()


@for_each("width", [40, 60, 120])
def test_hostile_text_is_neutralised_in_comparison_output(width: int) -> None:
    old = report([[1.0] * 12], questions=HOSTILE + "{}", name=HOSTILE, judge=HOSTILE)
    new = report([[0.0] * 12], questions=HOSTILE + "{}", name=HOSTILE, judge=HOSTILE + "2")
    new = replace(new, results=[[r.model_copy(update={"reason": HOSTILE}) for r in rs] for rs in new.results])
    found = compare(old, new)
    shown = terminal(found, width)
    assert not [character for character in shown if character != "\n" and ord(character) < 32]
    assert "\u202e" not in shown
    assert "<script>" not in found.to_markdown()
    assert r"\[a\](javascript" in found.to_markdown()


def test_comparison_is_ascii_on_ascii_terminals() -> None:
    class Ascii(StringIO):
        encoding = "ascii"  # type: ignore[assignment]

    file = Ascii()
    show(
        compare(report([scores(1)]), report([scores(2, shift=-0.3)])).document(),
        plain_console(file, width=80),
    )
    file.getvalue().encode("ascii")


def test_compare_is_exported_from_ragstone() -> None:
    assert ragstone.compare is compare
    assert repr(compare(report([scores(1)]), report([scores(1)]))).startswith(
        "<RunComparison over 60 cases: No diff"
    )
