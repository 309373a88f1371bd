"""Counts of candidates (tried, rejected by each check, duplicates, kept), and the calls and cost of the judge."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragstone.drafts.candidate import QuestionKind
from ragstone.drafts.checks.outcome import CheckName


@dataclass(frozen=True)
class YieldTable:
    """Counts of a draft.

    Attributes:
        asked: number of questions requested.
        candidates: number of candidates available, by kind.
        tried: number of candidates tried, by kind.
        unwritten: number of candidates that the judge could not write, by kind.
        rejected: number of candidates rejected, by check; a candidate counts for each check that it failed.
        unchecked: number of kept questions with the verdict `?`, by check.
        duplicates: number of duplicates of kept questions.
        kept: number of questions kept, by kind.
        calls: calls of the judge, including repeated ones and those answered from the journal.
        cost: US dollars; None if a price is not known.
        stopped: why drafting ended early; empty if it did not.
    """

    asked: int
    candidates: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    tried: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    unwritten: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    rejected: Counter[CheckName] = field(default_factory=Counter[CheckName])
    unchecked: Counter[CheckName] = field(default_factory=Counter[CheckName])
    duplicates: int = 0
    kept: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    calls: int = 0
    cost: float | None = 0.0
    stopped: str = ""

    @property
    def complete(self) -> bool:
        """Whether as many questions were kept as were wanted."""
        return sum(self.kept.values()) >= self.asked

    def stored(self) -> dict[str, Any]:
        """Return the counts as plain values."""
        return {**vars(self), **{name: dict(getattr(self, name)) for name in _COUNTER_FIELDS}}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "YieldTable":
        """Return the table from the values that `stored` returned."""
        counters: dict[str, Any] = {name: Counter(values[name]) for name in _COUNTER_FIELDS}
        return cls(**{**values, **counters})


_COUNTER_FIELDS = ("candidates", "tried", "unwritten", "rejected", "unchecked", "kept")
