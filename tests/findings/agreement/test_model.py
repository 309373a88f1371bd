import json
import random
from dataclasses import replace
from functools import cache
from io import StringIO
from typing import Any

import pytest
from tests.findings.sample import HOSTILE, run
from tests.testing.for_each import for_each
from tests.testing.outcome import Outcome, outcomes

from ragstone import Report, TestCase, evaluate
from ragstone.errors import BadDataset
from ragstone.findings.agreement import AgreementReport, agreement
from ragstone.metrics import ExactMatch
from ragstone.result import Result
from ragstone.show.render.console import plain_console, show

pytestmark = pytest.mark.usefixtures("few_resamples")


def report(rows: list[dict[str, Any]], *, higher: bool = True, **plan: Any) -> Report:
    """A report with one metric; each row has a `score` (None: not measured) and what its case's metadata hold."""
    cases = [
        TestCase(input=row.pop("question", f"q{n}"), actual_output=row.pop("output", f"a{n}"), id=f"c{n}",
                 metadata={name: value for name, value in row.items() if name != "score"})
        for n, row in enumerate(rows)
    ]  # fmt: skip
    results = [
        [Result(metric="Faithfulness", spec="faithfulness", score=row["score"], success=True, case_id=case.id,
                higher_is_better=higher, reason=f"because {case.id}", error="X: y" if row["score"] is None else None)]
        for case, row in zip(cases, rows, strict=True)
    ]  # fmt: skip
    return Report(run=run(**plan), cases=cases, results=results)


def judged(n: int = 200, *, seed: int = 0, **shared: Any) -> list[dict[str, Any]]:
    """People and a judge that is right in about four cases of five."""
    draw = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for _ in range(n):
        label = int(draw.random() < 0.6)
        right = draw.random() < 0.8
        score = 0.5 + (0.5 if label == right else -0.5) * draw.uniform(0.1, 0.9)
        rows.append({"label": label, "score": round(score, 3), **shared})
    return rows


def terminal(found: AgreementReport, width: int = 100) -> str:
    file = StringIO()
    show(found.document(), plain_console(file, width=width))
    return file.getvalue()


@cache
def found_on_200() -> AgreementReport:
    """What is found on `judged()`, worked out once: its intervals take seconds."""
    return agreement(report(judged()))


def test_yes_or_no_labels_give_every_figure_with_interval() -> None:
    found = found_on_200()
    (metric,) = found.metrics
    assert metric.decisions is not None
    assert metric.decisions.accuracy.value == pytest.approx(0.8, abs=0.07)
    text = terminal(found)
    for name in ("accuracy", "balanced accuracy", "Cohen's kappa", "Krippendorff's alpha", "AUROC", "Pearson's r",
                 "Spearman's rho", "Kendall's tau-b", "Brier", "ECE", "a threshold of"):  # fmt: skip
        assert name in text
        assert name in found.to_markdown()
    assert text.count("\N{EN DASH}") >= 20


def test_the_worst_disagreements_come_first_with_the_judges_reason() -> None:
    rows = [{"label": 1, "score": 0.9}] * 10 + [
        {"label": 0, "score": 0.95},
        {"label": 1, "score": 0.4},
        {"label": 0, "score": 0.1},
    ]
    metric = agreement(report([dict(row) for row in rows]), worst=2).metrics[0]
    assert [item.case_id for item in metric.worst] == ["c10", "c11"]
    assert metric.worst[0].reason == "because c10"
    assert len(agreement(report([dict(row) for row in rows]), worst=0).metrics[0].worst) == 0


def test_scores_are_inverted_when_lower_is_better() -> None:
    rows = [{**row, "score": 1.0 - row["score"]} for row in judged()]
    metric = agreement(report(rows, higher=False)).metrics[0]
    plain = found_on_200().metrics[0]
    assert metric.turned
    assert metric.decisions is not None
    assert plain.decisions is not None
    assert metric.decisions.accuracy.value == plain.decisions.accuracy.value
    assert metric.decisions.auroc.value == pytest.approx(plain.decisions.auroc.value)


def test_partial_labels_correct_the_overall_mean() -> None:
    """The judge praises everything by 0.2; people say so on a quarter of the cases."""
    draw = random.Random(3)
    rows: list[dict[str, Any]] = []
    for n in range(400):
        truth = draw.choice([1, 2, 3, 4, 5])
        score = min(1.0, (truth - 1) / 4 * 0.8 + 0.2 + draw.uniform(-0.05, 0.05))
        rows.append({"score": score, "scale": [1, 5], **({"label": truth} if n % 4 == 0 else {})})
    found = agreement(report(rows))
    corrected = found.metrics[0].corrected
    assert corrected is not None
    assert corrected.judge == pytest.approx(0.6, abs=0.04)
    assert 0.5 in corrected.interval
    assert corrected.interval.width < corrected.labels_alone.width
    assert f"judge says {corrected.judge:.2f}, corrected {corrected.value:.2f} (" in terminal(found)
    assert "100 labels correct 300 cases without one" in terminal(found).replace("\n  ", " ")


def test_annotator_agreement_is_the_ceiling_of_the_judge() -> None:
    draw = random.Random(5)
    rows = judged(seed=5)
    for row in rows:
        row["annotators"] = [row["label"] if draw.random() < 0.95 else 1 - row["label"] for _ in range(3)]
    found = agreement(report(rows))
    decisions = found.metrics[0].decisions
    assert decisions is not None
    assert decisions.ceiling is not None
    assert decisions.ceiling.human.value > decisions.kappa.value  # type: ignore[operator]
    assert found.people is not None
    assert found.people.fleiss is not None
    assert "one person with the others" in terminal(found)
    assert "Fleiss' kappa" in found.to_markdown()


def test_pairs_are_compared_by_the_difference_of_their_scores() -> None:
    draw = random.Random(7)
    rows: list[dict[str, Any]] = []
    for pair in range(60):
        preference = draw.choice([-2, -1, 0, 1, 2])
        first = draw.uniform(0.3, 0.7)
        second = min(1.0, max(0.0, first + preference * 0.1 + draw.gauss(0, 0.05)))
        for side, score in (("text", first), ("text2", second)):
            rows.append(
                {
                    "label": preference,
                    "pair": pair,
                    "side": side,
                    "score": score,
                    "annotators": [preference] * 2,
                }
            )
    found = agreement(report(rows))
    pairs = found.metrics[0].pairs
    assert pairs is not None
    assert pairs.n == 60
    assert pairs.pearson.value > 0.8  # type: ignore[operator]
    assert found.people is not None
    assert found.people.n == 60
    assert "prefers the same answer" in terminal(found)
    assert "60 labelled pairs" in terminal(found)


def test_unmeasured_cases_are_reported_and_not_counted() -> None:
    rows = judged(40)
    rows[0]["score"] = None
    found = agreement(report(rows))
    assert (found.metrics[0].n, found.metrics[0].unmeasured, found.exit_code) == (39, 1, 3)
    assert "1 labelled case not measured" in terminal(found)
    nothing = agreement(report([{"label": 1, "score": None}]))
    assert "no labelled case was measured" in terminal(nothing)
    json.loads(nothing.to_json())


def test_few_labels_give_a_warning() -> None:
    assert "only 5 labels: a few dozen are needed" in terminal(agreement(report(judged(5))))


def test_agreement_intervals_use_the_cluster_option() -> None:
    rows = [{**row, "doc": n // 20} for n, row in enumerate(judged())]
    alone, grouped = found_on_200(), agreement(report(rows, cluster="doc"))
    one, other = alone.metrics[0].decisions, grouped.metrics[0].decisions
    assert one is not None
    assert other is not None
    assert other.accuracy.interval.units == 10  # type: ignore[union-attr]
    assert one.accuracy.interval.units == 200  # type: ignore[union-attr]


def test_agreement_json_is_strict_with_undefined_figures() -> None:
    found = agreement(report([{"label": 1, "score": 0.9} for _ in range(12)]))
    document = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert document["metrics"][0]["decisions"]["auroc"]["value"] is None
    assert document["kind"] == "yes or no"


@for_each("width", [40, 120])
def test_hostile_text_is_neutralised_in_agreement_output(width: int) -> None:
    rows = [{**row, "question": HOSTILE, "output": HOSTILE} for row in judged(20)]
    plain = report(rows, judge=HOSTILE, dataset=HOSTILE)
    plain = replace(
        plain, results=[[r.model_copy(update={"reason": HOSTILE}) for r in rs] for rs in plain.results]
    )
    found = agreement(plain)
    assert not [
        character for character in terminal(found, width) if character != "\n" and ord(character) < 32
    ]
    assert "<script>" not in found.to_markdown()


def test_agreement_is_ascii_on_ascii_terminals() -> None:
    class Ascii(StringIO):
        encoding = "ascii"  # type: ignore[assignment]

    file = Ascii()
    show(agreement(report(judged(40))).document(), plain_console(file, width=80))
    file.getvalue().encode("ascii")


def test_labels_of_undecided_cases_narrow_the_range_of_the_mean() -> None:
    decided = [{"score": 1.0}] * 60 + [{"score": 0.0}] * 20
    undecided = [{"label": int(n < 6)} if n < 8 else {} for n in range(20)]
    rows = report([{**row} for row in decided] + [{"score": None, **row} for row in undecided])
    results = [*rows.results[:80], *([_undecided(result)] for (result,) in rows.results[80:])]
    found = agreement(replace(rows, results=results))
    (metric,) = found.metrics
    assert metric.narrowed is not None
    assert (metric.n, metric.undecided, metric.narrowed.checked) == (0, 8, 8)
    assert metric.narrowed.value == pytest.approx(0.6 + 0.2 * (6 + 0.5) / 9)
    assert metric.narrowed.interval.width < metric.narrowed.bounds.interval.width
    assert found.exit_code == 0
    assert "people checked 8 of 20 undecided cases: the mean is 0.74" in " ".join(terminal(found).split())


def test_a_single_label_of_an_undecided_case_narrows_nothing() -> None:
    rows = report([{"score": 1.0}, {"score": None, "label": 1}, {"score": None}])
    results = [rows.results[0], *([_undecided(result)] for (result,) in rows.results[1:])]
    (metric,) = agreement(replace(rows, results=results)).metrics
    assert metric.narrowed is None


def test_score_of_which_it_is_open_whether_it_passes_is_no_label_of_the_judge() -> None:
    rows = report([{"score": 0.2, "label": 1}] * 3 + [{"score": 0.9, "label": 1}] * 8)
    open_result = rows.results[0][0].model_copy(
        update={"low": 0.0, "high": 0.7, "threshold": 0.5, "success": None}
    )
    assert open_result.status == "undecided"
    (metric,) = agreement(replace(rows, results=[[open_result], *rows.results[1:]])).metrics
    assert (metric.n, metric.undecided) == (10, 1)


def _undecided(result: Result) -> Result:
    return result.model_copy(update={"low": 0.0, "high": 1.0, "error": None, "success": None})


def test_labels_by_name_are_compared_with_those_of_the_metric() -> None:
    outputs = ("answered",) * 14 + ("refused",) * 8 + ("?",)
    people = ("Answered",) * 12 + ("partly",) * 2 + ("refused ",) * 8 + ("refused",)
    cases = [
        case.model_copy(
            update={
                "expected_output": "answered",
                "metadata": {"label": label, "annotators": [label, "answered"]},
            }
        )
        for case, label in zip(outcomes(*outputs), people, strict=True)
    ]
    found = agreement(evaluate(cases, [Outcome(), ExactMatch()]))
    assert [metric.name for metric in found.metrics] == ["Outcome"], "exact match gives no labels"
    (metric,) = found.metrics
    assert metric.labels is not None
    assert metric.labels.table == ((12, 0, 0), (2, 0, 0), (0, 0, 8))
    assert (metric.n, metric.undecided, metric.unmeasured, found.exit_code) == (22, 1, 0, 0)
    assert [(item.people_label, item.judge_label) for item in metric.worst] == [("partly", "answered")] * 2
    assert found.people is not None
    text = found.to_markdown()
    assert "23 labels in 'label' (answered, partly, refused)" in text.replace("\\", "")
    assert "people partly, judge answered" in text
    assert found.to_json()


def test_unknown_label_by_name_is_refused_with_the_known_ones() -> None:
    cases = [
        case.model_copy(update={"metadata": {"label": label}})
        for case, label in zip(outcomes("answered", "refused"), ("answered", "refusd"), strict=True)
    ]
    with pytest.raises(
        BadDataset, match="'refusd' is none of the metric's labels: write answered, partly, refused"
    ):
        agreement(evaluate(cases, [Outcome()]))
