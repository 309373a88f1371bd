"""The worst disagreements between judge and people with the judge's reason, and the agreement on pairs of answers.

Of a pair, people say how much better the second answer is. The protocol of RAGChecker's meta-evaluation
(arXiv:2408.08067): the judge's preference is the difference of its scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.case import TestCase
from ragstone.findings.agreement.human_labels import HumanLabels
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.stats.correlation import mean_ranks
from ragstone.stats.pairwise import PairwiseAgreement, agree_on_pairs


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One case, or pair, on which judge and people disagree."""

    number: int  # its place in the dataset, from 1
    case_id: str
    question: str  # its input
    output: str  # the text that was judged
    people: float  # the human label, from 0 to 1; for a pair, how much better the second answer is
    judge: float  # the judge's score; for a pair, the difference of its scores
    reason: str | None  # the judge's reason
    people_label: str = ""  # the human label by name; empty for a number
    judge_label: str = ""  # the judge's label by name; empty for a score


def worst_disagreements(  # noqa: PLR0917  (columns that belong together)
    report: Report,
    rows: Mapping[int, Result],
    places: Sequence[int],
    people: NDArray[np.float64],
    judge: NDArray[np.float64],
    threshold: float | None,
    most: int,
) -> tuple[Disagreement, ...]:
    """Return the disagreements, the worst first.

    With a threshold, these are the cases on the wrong side of it. Without one, these are the cases whose rank among the
    judge's scores is farthest from their rank among the labels, since the two scales need not be the same.
    """
    if threshold is None:
        n = max(1, len(places))
        distance = np.abs(mean_ranks(judge) - mean_ranks(people)) / n
        wrong = distance > 0.0
    else:
        distance = np.abs(judge - people)
        wrong = (judge >= threshold - 1e-9) != (people == 1.0)
    order = sorted(np.flatnonzero(wrong).tolist(), key=lambda i: -float(distance[i]))
    return tuple(
        disagreement(report.cases[places[i]], rows[places[i]], places[i], float(people[i]), float(judge[i]))
        for i in order[:most]
    )


def disagreement(case: TestCase, result: Result, place: int, people: float, judge: float) -> Disagreement:
    """Return one disagreement."""
    return Disagreement(
        number=place + 1,
        case_id=case.id,
        question=case.input,
        output=case.actual_output or "",
        people=people,
        judge=judge,
        reason=result.reason or next((each.reason for each in result.verdicts if each.reason), None),
    )


def pair_agreement(
    report: Report, labels: HumanLabels, scores: Mapping[int, float], rows: Mapping[int, Result], most: int
) -> tuple[PairwiseAgreement | None, tuple[Disagreement, ...]]:
    """Return the agreement over the pairs with two scores and a label, and the worst disagreements."""
    pairs = [
        (first, second, value)
        for first, second in _pairs(report)
        if first in scores and second in scores and (value := labels.values[first]) is not None
    ]
    if not pairs:
        return None, ()
    annotators = [labels.annotators[first] or () for first, _, _ in pairs]
    agreed = agree_on_pairs(
        [value for _, _, value in pairs],
        [scores[first] for first, _, _ in pairs],
        [scores[second] for _, second, _ in pairs],
        annotators=annotators if any(annotators) else None,
    )
    margins = [(second, value, scores[second] - scores[first]) for first, second, value in pairs]
    wrong = sorted((item for item in margins if item[1] * item[2] < 0.0), key=lambda item: item[1] * item[2])
    worst = tuple(
        disagreement(report.cases[place], rows[place], place, value, margin)
        for place, value, margin in wrong[:most]
    )
    return agreed, worst


def _pairs(report: Report) -> list[tuple[int, int]]:
    sides: dict[object, dict[object, int]] = {}
    for place, case in enumerate(report.cases):
        sides.setdefault(case.metadata.get("pair"), {})[case.metadata.get("side")] = place
    return [
        (by_side["text"], by_side["text2"])
        for pair, by_side in sides.items()
        if pair is not None and "text" in by_side and "text2" in by_side
    ]
