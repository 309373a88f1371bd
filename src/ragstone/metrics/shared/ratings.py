"""Ratings on a scale from 0: their metadata, and their mean as a share of the best rating."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ragstone.metrics.base.score import Score, list_examples, verdict_dicts
from ragstone.prompts import Rating
from ragstone.verdict import Verdict, VerdictValue


class RatedText(NamedTuple):
    """A text and its rating."""

    text: str
    score: float
    reason: str
    passage: int | None = None

    @classmethod
    def of(cls, text: str, rating: Rating, passage: int | None = None) -> "RatedText":
        """Return the text with a judge's rating of it."""
        return cls(text, rating.value, rating.reason, passage)

    def verdict(self, best: int) -> Verdict:
        """Return yes for the best rating, no for 0, and idk between."""
        word: VerdictValue = "yes" if self.score == best else "no" if self.score == 0 else "idk"
        return Verdict(self.text, word, self.reason, self.passage)


def mean_rating(rated: Sequence[RatedText], best: int, noun: str) -> Score:
    """Return the mean of ratings from 0 to `best` as a score; at least one rating is required."""
    value = sum(item.score for item in rated) / (best * len(rated))
    verdicts = [item.verdict(best) for item in rated]
    weak = [item.verdict(best) for item in sorted(rated, key=lambda item: item.score) if item.score < best]
    metadata: dict[str, Any] = {
        "ratings": [item._asdict() for item in rated],
        "scale": [0, best],
        "verdicts": verdict_dicts(verdicts),
    }
    count = f"{len(rated)} {noun}{'' if len(rated) == 1 else 's'}"
    mean = f"{count} rated {value * best:.2f} of {best} on average."
    lines = tuple(f"{item.score:g} of {best}: {item.text} ({item.reason})" for item in rated)
    return Score(value, mean + list_examples("Weakest", weak), metadata, lines)


def mean_of_wordings(ratings: Sequence[Rating], best: int) -> Score:
    """Return the mean of ratings from 0 to `best` as a score; at least one rating is required."""
    values = [rating.value for rating in ratings]
    value = sum(values) / (best * len(values))
    metadata: dict[str, Any] = {
        "ratings": [{"score": rating.value, "reason": rating.reason} for rating in ratings],
        "scale": [0, best],
        "agreement": len(set(values)) == 1,
    }
    reason = " / ".join(f"{rating.value:g} of {best}: {rating.reason}" for rating in ratings)
    return Score(value, reason, metadata, tuple(rating.reason for rating in ratings))
