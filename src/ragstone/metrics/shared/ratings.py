"""Ratings on a scale from 0: their metadata, and their mean as a share of the best rating."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ragstone.metrics.base.score import list_examples, verdict_dicts
from ragstone.prompts import Rating
from ragstone.score import Score
from ragstone.verdict import Verdict, VerdictValue


class RatedText(NamedTuple):
    """A text and its rating; the score is None where the judge could not tell."""

    text: str
    score: float | None
    reason: str
    passage: int | None = None

    @classmethod
    def of(cls, text: str, rating: Rating, passage: int | None = None) -> "RatedText":
        """Return the text with a judge's rating of it."""
        return cls(text, None if rating.undecided else rating.value, rating.reason, passage)

    def verdict(self, best: int) -> Verdict:
        """Return yes for the best rating, no for 0, idk between, and undecided without one."""
        words: dict[float | None, VerdictValue] = {None: "undecided", 0: "no", best: "yes"}
        return Verdict(self.text, words.get(self.score, "idk"), self.reason, self.passage)


def mean_rating(rated: Sequence[RatedText], best: int, noun: str) -> Score:
    """Return the mean of ratings from 0 to `best` as a score; at least one rating is required."""
    scores = [item.score for item in rated if item.score is not None]
    undecided = len(rated) - len(scores)
    weak = sorted(
        (item for item in rated if item.score not in (None, best)), key=lambda item: item.score or 0
    )
    metadata = {
        "ratings": [item._asdict() for item in rated],
        "scale": [0, best],
        "verdicts": verdict_dicts([item.verdict(best) for item in rated]),
    }
    reason = (
        "" if not scores else f"{_counted(len(scores), noun)} rated {_mean(scores):.2f} of {best} on average."
    )
    reason += list_examples("Weakest", [item.verdict(best) for item in weak])
    if undecided:
        reason = f"{reason} {undecided} of {_counted(len(rated), noun)} undecided.".strip()
    lines = tuple(
        f"{'undecided' if item.score is None else f'{item.score:g} of {best}'}: {item.text} ({item.reason})"
        for item in rated
    )
    return _bounded_mean(scores, undecided, best, reason, metadata, lines)


def mean_of_wordings(ratings: Sequence[Rating], best: int) -> Score:
    """Return the mean of ratings from 0 to `best` as a score; at least one rating is required."""
    values = [rating.value for rating in ratings if not rating.undecided]
    metadata = {
        "ratings": [
            {"score": None if rating.undecided else rating.value, "reason": rating.reason}
            for rating in ratings
        ],
        "scale": [0, best],
        "agreement": len(values) == len(ratings) and len(set(values)) == 1,
    }
    reason = " / ".join(
        f"{'undecided' if rating.undecided else f'{rating.value:g} of {best}'}: {rating.reason}"
        if values
        else rating.reason
        for rating in ratings
    )
    lines = tuple(rating.reason for rating in ratings)
    return _bounded_mean(values, len(ratings) - len(values), best, reason, metadata, lines)


def _bounded_mean(  # noqa: PLR0917  (the parts of a score, in order)
    values: Sequence[float],
    undecided: int,
    best: int,
    reason: str,
    metadata: dict[str, Any],
    lines: tuple[str, ...],
) -> Score:
    total, count = sum(values) / best, len(values) + undecided
    value = total / len(values) if values else None
    return Score(value, reason, metadata, lines, low=total / count, high=(total + undecided) / count)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
