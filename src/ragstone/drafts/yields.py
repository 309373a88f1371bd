"""What became of the candidates: tried, rejected by which check, duplicates, kept; and what the judge was asked."""

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
        asked: how many questions were wanted.
        candidates: how many could have been tried, by kind.
        tried: how many were, by kind.
        unwritten: how many the judge could not write, by kind.
        rejected: how many each check rejected; a candidate counts at each check that it failed.
        unchecked: how many kept questions have `?` at a check.
        duplicates: how many were duplicates of a kept one.
        kept: how many were kept, by kind.
        calls: calls of the judge, repeated ones included; those answered from the journal count too.
        cost: US dollars; None where a price is not known.
        stopped: why drafting ended early; empty where it did not.
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
        return {**vars(self), **{name: dict(getattr(self, name)) for name in _COUNTERS}}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "YieldTable":
        """Return what `stored` gave."""
        counters: dict[str, Any] = {name: Counter(values[name]) for name in _COUNTERS}
        return cls(**{**values, **counters})


_COUNTERS = ("candidates", "tried", "unwritten", "rejected", "unchecked", "kept")
