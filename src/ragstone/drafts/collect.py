"""Collection of questions: slots are tried until each kind is complete or no slot is left; each slot at most once."""

import asyncio
from collections import Counter, deque
from collections.abc import Sequence
from typing import Generic, TypeVar

from ragstone.drafts.candidate import KINDS, DraftCandidate, QuestionKind
from ragstone.drafts.checks.outcome import CheckName
from ragstone.drafts.checks.run_checks import CheckedCandidate, JudgedChecks, run_checks
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.duplicates import DuplicateFilter
from ragstone.drafts.plan import quotas
from ragstone.drafts.record import KeptQuestion
from ragstone.drafts.sources import QuestionSource
from ragstone.drafts.yields import YieldTable
from ragstone.errors import RunStopped

S = TypeVar("S")

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


class QuestionCollector(Generic[S]):
    """Tries slots and keeps the questions that pass the checks.

    Attributes:
        kept: the questions kept so far.
    """

    def __init__(
        self,
        source: QuestionSource[S],
        index: CorpusIndex,
        withheld: frozenset[int],
        judge: JudgedChecks | None,
        *,
        most_tried: int,
        at_once: int = 8,
        keep_all: bool = False,
    ) -> None:
        """Take slots from `source`: at most `most_tried` in total, and `at_once` concurrently.

        With `keep_all` nothing is rejected, for estimates, whose answers are made up.
        """
        self.kept: list[KeptQuestion] = []
        self._source, self._index, self._withheld, self._judge = source, index, withheld, judge
        self._queues: dict[QuestionKind, deque[S]] = {
            kind: deque(slots) for kind, slots in source.slots().items()
        }
        self._candidates = Counter[QuestionKind]()
        for kind, slots in self._queues.items():
            self._candidates[kind] = len(slots)
        self._tries_left, self._concurrency, self._keep_all = most_tried, at_once, keep_all
        self._tried, self._unwritten = Counter[QuestionKind](), Counter[QuestionKind]()
        self._rejected = Counter[CheckName]()
        self._duplicate_count, self._duplicate_filter, self._stop_reason = 0, DuplicateFilter(), ""

    async def collect(self, size: int, kinds: Sequence[QuestionKind] = KINDS) -> YieldTable:
        """Collect `size` questions of these kinds, or as many as possible, and return the counts."""
        counts = quotas(size, kinds)
        try:
            for kind, count in counts.items():
                await self._fill(kind, count)
            for kind in _FILL_ORDER:
                if kind in counts:
                    await self._fill(kind, size - len(self.kept))
        except RunStopped as error:
            self._stop_reason = str(error)
        return self._yields(size)

    async def _fill(self, kind: QuestionKind, count: int) -> None:
        """Keep up to `count` more questions of a kind."""
        queue, goal = self._queues.get(kind, deque[S]()), len(self.kept) + count
        while queue and self._tries_left > 0 and len(self.kept) < goal:
            batch = [
                queue.popleft()
                for _ in range(min(len(queue), self._concurrency, goal - len(self.kept), self._tries_left))
            ]
            self._tries_left -= len(batch)
            results = await asyncio.gather(
                *(self._try_slot(kind, slot) for slot in batch), return_exceptions=True
            )
            for result in results:
                if isinstance(result, BaseException) and not isinstance(result, RunStopped):
                    raise result
            for result in results:  # keep answers that were paid for before the budget ran out
                if not isinstance(result, BaseException):
                    self._add_result(kind, result)
            for result in results:
                if isinstance(result, BaseException):
                    raise result

    async def _try_slot(self, kind: QuestionKind, slot: S) -> tuple[DraftCandidate, CheckedCandidate] | None:
        self._tried[kind] += 1
        candidate = await self._source.write(slot)
        if candidate is None:
            return None
        return candidate, await run_checks(
            candidate, self._index, self._withheld, self._judge, thorough=self._keep_all
        )

    def _add_result(self, kind: QuestionKind, result: tuple[DraftCandidate, CheckedCandidate] | None) -> None:
        """Keep a candidate that passed; of two duplicates the one that passed more checks."""
        if result is None:
            self._unwritten[kind] += 1
            return
        candidate, checked = result
        if self._keep_all:
            self.kept.append(KeptQuestion(candidate, checked.outcomes))
            return
        if checked.failed:
            self._rejected.update(checked.failed)
            return
        new = KeptQuestion(candidate, checked.outcomes, checked.others)
        duplicate = self._duplicate_filter.find(candidate)
        if duplicate is None:
            self.kept.append(new)
            self._duplicate_filter.add(candidate)
            return
        self._duplicate_count += 1
        index = next(index for index, question in enumerate(self.kept) if question.candidate is duplicate)
        if new.passes > self.kept[index].passes and candidate.kind == duplicate.kind:
            self.kept[index] = new
            self._duplicate_filter.replace(duplicate, candidate)

    def _yields(self, size: int) -> YieldTable:
        unchecked = Counter[CheckName]()
        kept = Counter[QuestionKind]()
        for question in self.kept:
            unchecked.update(outcome.check for outcome in question.outcomes if outcome.verdict == "?")
            kept[question.candidate.kind] += 1
        return YieldTable(
            asked=size,
            candidates=self._candidates,
            tried=self._tried,
            unwritten=self._unwritten,
            rejected=self._rejected,
            unchecked=unchecked,
            duplicates=self._duplicate_count,
            kept=kept,
            stopped=self._stop_reason,
        )
