"""Figures on abstention: whether a system answers answerable questions and declines unanswerable ones.

    coverage      answered / all
    risk          wrong among the answered / answered; an answer to a question without an answer is wrong
    carefulness   declined among the unanswerable / unanswerable
    over_refusal  declined among the answerable / answerable
    alignment     (right answers to answerable questions + declined unanswerable ones) / all

A share with a denominator of 0 is None. Source: RC-RAG, arXiv:2409.16146; over-refusal is the counterpart of
carefulness for answerable questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.stats._checks import same_length
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import rate_interval


@dataclass(frozen=True, slots=True)
class AbstentionFigures:
    """Figures on the answered and declined questions of a system.

    Attributes:
        n: Number of test cases.
        coverage: Share of test cases that it answered.
        risk: Share of its answers that are wrong; None where it answered nothing.
        carefulness: Share of unanswerable questions that it declined; None where there are none.
        over_refusal: Share of answerable questions that it declined; None where there are none.
        alignment: Share of test cases where it did the right thing.
        rightness_known: Whether `right` was known for every answer to an answerable question. Answers without it
            count as right: the risk is then a lower bound and the alignment an upper one.
    """

    n: int
    coverage: Estimate
    risk: Estimate | None
    carefulness: Estimate | None
    over_refusal: Estimate | None
    alignment: Estimate
    rightness_known: bool


def abstention_figures(
    answerable: Sequence[bool], declined: Sequence[bool], right: Sequence[bool | None] | None = None
) -> AbstentionFigures:
    """Count the answered and the declined questions over test cases.

    Args:
        answerable: Whether each question has an answer.
        declined: Whether the system declined to give one.
        right: Whether the answer is right; None where that is not known. It is not read where the system declined or
            where there is no answer.

    Returns:
        Each share with its 95 % interval (Wilson).

    Raises:
        ValueError: The lengths differ, or there is no test case.
    """
    known = [None] * len(answerable) if right is None else list(right)
    n = same_length(answerable=answerable, declined=declined, right=known)
    if not n:
        raise ValueError("there is no test case to count")
    rows = list(zip(answerable, declined, known, strict=True))
    answered = [(able, good) for able, gone, good in rows if not gone]
    wrong = [not able or good is False for able, good in answered]
    return AbstentionFigures(
        n=n,
        coverage=_rate([not gone for gone in declined]),
        risk=_rate(wrong) if wrong else None,
        carefulness=_rate_or_none([gone for able, gone, _ in rows if not able]),
        over_refusal=_rate_or_none([gone for able, gone, _ in rows if able]),
        alignment=_rate([gone if not able else not gone and good is not False for able, gone, good in rows]),
        rightness_known=all(good is not None for able, good in answered if able),
    )


def _rate_or_none(events: Sequence[bool]) -> Estimate | None:
    return _rate(events) if events else None


def _rate(events: Sequence[bool]) -> Estimate:
    return Estimate(sum(events) / len(events), rate_interval(sum(events), len(events)))
