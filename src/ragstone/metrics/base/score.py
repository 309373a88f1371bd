"""What the metrics share when they score verdicts: shares, examples for the reason, metadata."""

from collections.abc import Sequence
from typing import Any

from ragstone.score import Score
from ragstone.verdict import Verdict, VerdictValue

_MAX_EXAMPLES = 3


def as_score(found: object) -> Score:
    """Convert the return value of a metric's `assess` to a `Score`.

    Raises:
        TypeError: it is no number, label or `Score`.
    """
    if isinstance(found, Score):
        return found
    if isinstance(found, int | float):
        return Score(found, f"The score is {float(found):.2f}.")
    if isinstance(found, str):
        return Score(None, f"The label is {found}.", label=found)
    raise TypeError(f"assess returned {found!r}: return a number from 0 to 1, a label, or a Score")


def nothing_retrieved(value: float) -> Score:
    """Return the score of a test case whose retriever found nothing."""
    return Score(value, "The retriever found nothing: there is no passage.", {"verdicts": []})


def share(verdicts: Sequence[Verdict], words: frozenset[VerdictValue]) -> float:
    """Return the share of verdicts whose word is one of `words`. There must be a verdict."""
    return sum(verdict.verdict in words for verdict in verdicts) / len(verdicts)


def list_examples(intro: str, verdicts: Sequence[Verdict]) -> str:
    """Return a sentence that names the first few of the verdicts' statements, with the reasons; empty without any."""
    if not verdicts:
        return ""
    examples = "; ".join(_with_reason(verdict) for verdict in verdicts[:_MAX_EXAMPLES])
    more = len(verdicts) - _MAX_EXAMPLES
    return f" {intro}: {examples}" + (f"; and {more} more." if more > 0 else ".")


def findings(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return one line for each verdict, for the judge that explains the score."""
    return tuple(f"{verdict.verdict}: {_with_reason(verdict)}" for verdict in verdicts)


def verdict_dicts(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return verdicts as dictionaries for the metadata."""
    return [verdict.as_dict() for verdict in verdicts]


def _with_reason(verdict: Verdict) -> str:
    statement = f"“{_shorten(verdict.statement)}”"
    return f"{statement} ({verdict.reason.rstrip('.')})" if verdict.reason else statement


def _shorten(text: str, limit: int = 120) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
