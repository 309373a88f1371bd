"""What a metric finds out about a test case: a number in [0, 1], why, and every intermediate."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ragstone.verdict import Verdict, Word

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Score:
    """A score before it is held against a threshold.

    Attributes:
        value: in [0, 1].
        reason: why, composed from the verdicts' own reasons.
        metadata: every intermediate.
        findings: what a judge needs to explain the score in prose.
    """

    value: float
    reason: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    findings: tuple[str, ...] = ()


def share(verdicts: Sequence[Verdict], words: frozenset[Word]) -> float:
    """Return the share of verdicts whose word is one of `words`. There must be a verdict."""
    return sum(verdict.verdict in words for verdict in verdicts) / len(verdicts)


def name_some(intro: str, verdicts: Sequence[Verdict]) -> str:
    """Return a sentence that names the first few of the verdicts' statements, with the reasons; empty without any."""
    if not verdicts:
        return ""
    named = "; ".join(_because(verdict) for verdict in verdicts[:_MOST_NAMED])
    more = len(verdicts) - _MOST_NAMED
    return f" {intro}: {named}" + (f"; and {more} more." if more > 0 else ".")


def findings(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return each verdict as a line for the one who explains the score."""
    return tuple(f"{verdict.verdict}: {_because(verdict)}" for verdict in verdicts)


def kept(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the form in which metadata keeps verdicts."""
    return [verdict.as_dict() for verdict in verdicts]


def _because(verdict: Verdict) -> str:
    statement = f"“{_shorten(verdict.statement)}”"
    return f"{statement} ({verdict.reason.rstrip('.')})" if verdict.reason else statement


def _shorten(text: str, limit: int = 120) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
