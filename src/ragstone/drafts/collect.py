"""Collection of questions: slots are tried until each kind is complete or no slot is left; each slot at most once."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ragstone.drafts.candidate import KINDS, DraftCandidate, DraftSlot, QuestionKind
from ragstone.drafts.checks.outcome import CheckedCandidate
from ragstone.drafts.figures import YieldTable
from ragstone.drafts.plan import quotas
from ragstone.drafts.words import content_set, names_in
from ragstone.embeddings.local import embed_texts
from ragstone.errors import RunStopped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAME_WORDS = 0.8
"""Lowest Jaccard similarity of content words at which two questions with the same names are duplicates."""

SAME_MEANING = 0.92
"""Lowest cosine similarity at which two questions with the same names are duplicates."""


class DuplicateFilter:
    """Compares new questions with the questions kept so far."""

    def __init__(self) -> None:
        self._kept: list[tuple[DraftCandidate, frozenset[str], frozenset[str]]] = []
        self._vectors: list[NDArray[np.float32]] = []

    def find(self, candidate: DraftCandidate) -> DraftCandidate | None:
        """Return the kept question that a candidate duplicates, or None."""
        text = candidate.asked
        words, names, vector = content_set(text), names_in(text), embed_texts([text])[0]
        for (kept, kept_words, kept_names), kept_vector in zip(self._kept, self._vectors, strict=True):
            if "known_item" in {kept.kind, candidate.kind}:  # search words: each word counts
                if kept.kind == candidate.kind and words == kept_words:
                    return kept
                continue
            same_words = len(words & kept_words) >= SAME_WORDS * len(words | kept_words)
            same_meaning = names == kept_names and float(vector @ kept_vector) >= SAME_MEANING
            if (same_words and names == kept_names) or same_meaning:
                return kept
        return None

    def add(self, candidate: DraftCandidate) -> None:
        """Add a kept question."""
        text = candidate.asked
        self._kept.append((candidate, content_set(text), names_in(text)))
        self._vectors.append(embed_texts([text])[0])

    def replace(self, old: DraftCandidate, new: DraftCandidate) -> None:
        """Replace a kept question with another one."""
        index = next(index for index, (kept, _, _) in enumerate(self._kept) if kept is old)
        del self._kept[index], self._vectors[index]
        self.add(new)


Slots = Mapping[QuestionKind, Sequence[DraftSlot | DraftCandidate]]
"""What may be tried for each kind, in the plan's order: candidates of the rules, and slots for a judge."""

_AT_ONCE = 8
"""Slots that are tried concurrently."""

_FILL_ORDER: tuple[QuestionKind, ...] = (
    "single",
    "known_item",
    "table",
    "unanswerable",
    "false_premise",
    "multi",
    "comparison",
    "follow_up",
)


class QuestionCollector:
    """Tries slots and keeps the questions that pass the checks; `kept` holds those kept so far."""

    def __init__(
        self,
        slots: Slots,
        write: Callable[[DraftSlot], Awaitable[DraftCandidate | None]],
        check: Callable[[DraftCandidate], Awaitable[CheckedCandidate]],
        *,
        keep_all: bool = False,
    ) -> None:
        """Try `slots`; `write` returns the candidate of one, `check` the outcomes of its checks.

        With `keep_all` nothing is rejected, for estimates, whose answers are made up.
        """
        self.kept: list[CheckedCandidate] = []
        self._queues: dict[QuestionKind, deque[DraftSlot | DraftCandidate]] = {
            kind: deque(items) for kind, items in slots.items()
        }
        self._write, self._check, self._keep_all = write, check, keep_all
        self._counts = YieldTable(0, Counter({kind: len(queue) for kind, queue in self._queues.items()}))
        self._tries_left = self._duplicate_count = 0
        self._duplicate_filter = DuplicateFilter()

    async def collect(self, size: int, most_tried: int, kinds: Sequence[QuestionKind] = KINDS) -> YieldTable:
        """Collect `size` questions of these kinds with at most `most_tried` slots, or as many as possible."""
        quota, stopped, self._tries_left = quotas(size, kinds), "", most_tried
        try:
            for kind, count in quota.items():
                await self._fill(kind, count)
            for kind in _FILL_ORDER:
                if kind in quota:
                    await self._fill(kind, size - len(self.kept))
        except RunStopped as error:
            stopped = str(error)
        for question in self.kept:
            self._counts.unchecked.update(one.check for one in question.outcomes if one.verdict == "?")
            self._counts.kept[question.candidate.kind] += 1
        return replace(self._counts, asked=size, duplicates=self._duplicate_count, stopped=stopped)

    async def _fill(self, kind: QuestionKind, count: int) -> None:
        """Keep up to `count` more questions of a kind."""
        queue, goal = self._queues.get(kind, deque[DraftSlot | DraftCandidate]()), len(self.kept) + count
        while queue and self._tries_left > 0 and len(self.kept) < goal:
            size = min(len(queue), _AT_ONCE, goal - len(self.kept), self._tries_left)
            batch = [queue.popleft() for _ in range(size)]
            self._tries_left -= size
            self._counts.tried[kind] += size
            results = await asyncio.gather(*map(self._try_slot, batch), return_exceptions=True)
            errors = [result for result in results if isinstance(result, BaseException)]
            for error in errors:
                if not isinstance(error, RunStopped):
                    raise error
            for result in results:  # keep answers that were paid for before the budget ran out
                if result is None:
                    self._counts.unwritten[kind] += 1
                elif not isinstance(result, BaseException):
                    self._add(result)
            if errors:
                raise errors[0]

    async def _try_slot(self, slot: DraftSlot | DraftCandidate) -> CheckedCandidate | None:
        candidate = slot if isinstance(slot, DraftCandidate) else await self._write(slot)
        return candidate and await self._check(candidate)

    def _add(self, new: CheckedCandidate) -> None:
        """Keep a candidate that passed; of two duplicates the one that passed more checks."""
        if self._keep_all:
            self.kept.append(new)
            return
        if new.failed:
            self._counts.rejected.update(new.failed)
            return
        duplicate = self._duplicate_filter.find(new.candidate)
        if duplicate is None:
            self.kept.append(new)
            self._duplicate_filter.add(new.candidate)
            return
        self._duplicate_count += 1
        index = next(index for index, question in enumerate(self.kept) if question.candidate is duplicate)
        if new.passes > self.kept[index].passes and new.candidate.kind == duplicate.kind:
            self.kept[index] = new
            self._duplicate_filter.replace(duplicate, new.candidate)
