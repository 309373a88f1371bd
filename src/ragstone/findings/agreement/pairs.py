"""Agreement on pairs of answers: people say how much better the second answer is.

The protocol of RAGChecker's meta-evaluation (arXiv:2408.08067): the judge's preference is the difference of its scores.
"""

from collections.abc import Mapping

from ragstone.findings.agreement.disagreements import Disagreement, disagreement
from ragstone.findings.agreement.human_labels import HumanLabels
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.stats.pairwise import PairwiseAgreement, agree_on_pairs


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
