"""One metric in two runs, and the test cases that passed in one and missed in the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import eq
from typing import cast, overload

import numpy as np
from numpy.typing import NDArray

from ragstone.findings.comparison.run_scores import RunScores
from ragstone.stats.compare import Comparison
from ragstone.stats.label_change import LabelChange

_BATCH_SIZE = 500


@dataclass(frozen=True, slots=True)
class Flip:
    """A case that passed in one run and missed in the other.

    Attributes:
        case_id: id of the case in the later run.
        question: its input; empty where the run was read from JSON lines.
        before: its score before.
        after: its score after.
        broke: whether it passed before and fails now; False if it was mended.
        reason: the reason of the later result.
    """

    case_id: str
    question: str
    before: float
    after: float
    broke: bool
    reason: str | None


class Flips(Sequence[Flip]):
    """The flips of one metric: those that broke first, the largest change first.

    Attributes:
        broke: number of cases that broke.
        mended: number of cases that were mended.
    """

    def __init__(
        self,
        run: RunScores,
        spec: str,
        places: NDArray[np.intp],  # of the flipped cases in the later run, in the order of pairs
        before: NDArray[np.float64],  # their scores before, all finite
        passed_before: NDArray[np.bool_],
    ) -> None:
        self._run, self._spec = run, spec
        changes = np.abs(run.metrics[spec].scores[places] - before)
        order = np.lexsort((-changes, ~passed_before))
        self._places, self._before = places[order], before[order]
        self.broke = int(np.count_nonzero(passed_before))
        self.mended = len(places) - self.broke

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Flip: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Flip, ...]: ...
    def __getitem__(self, index: int | slice) -> Flip | tuple[Flip, ...]:
        if isinstance(index, slice):
            return tuple(self._read_flips(range(*index.indices(len(self)))))
        return self._read_flips([range(len(self))[index]])[0]

    def __iter__(self) -> Iterator[Flip]:
        for start in range(0, len(self), _BATCH_SIZE):
            yield from self[start : start + _BATCH_SIZE]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        others = cast("Sequence[object]", other)
        return len(self) == len(others) and all(map(eq, self, others))

    __hash__ = None  # pyright: ignore[reportAssignmentType]  (as for a list)

    def _read_flips(self, indices: Sequence[int]) -> list[Flip]:
        places = [int(self._places[index]) for index in indices]
        scores = self._run.metrics[self._spec].scores
        return [
            Flip(
                case_id=case.id,
                question=case.input,
                before=float(self._before[index]),
                after=float(scores[place]),
                broke=index < self.broke,
                reason=None if result is None else result.reason,
            )
            for index, place, case, result in zip(
                indices, places, self._run.cases(places), self._run.results(places, self._spec), strict=True
            )
        ]


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric in both runs.

    Attributes:
        name: its display name.
        comparison: means, difference with interval, tests, cases better and worse.
        flips: cases that changed sides of the threshold, those that broke first, the largest change first: a sequence
            that reads their texts on access.
        thresholds: before and after; None for a metric without one.
        lost: cases scored before that have no score after; they are compared as any score from 0 to 1.
        worth: the smallest change worth knowing.
        labels: how its labels changed; None for a metric that gives none in one of the runs.
    """

    name: str
    comparison: Comparison
    flips: Flips
    thresholds: tuple[float | None, float | None]
    lost: int
    worth: float
    labels: LabelChange | None = None

    @property
    def needed(self) -> int | None:
        """Number of cases that would show a change of `worth`; None if nothing was measured in both runs."""
        return self.comparison.cases_needed(self.worth)

    @property
    def broke(self) -> int:
        """Cases that passed before and fail now."""
        return self.flips.broke

    @property
    def measured(self) -> bool:
        """Whether any case was scored, or given a label, in both runs."""
        return self.comparison.n > 0 or (self.labels is not None and self.labels.n > 0)

    @property
    def labels_changed(self) -> bool:
        """Whether a change of its labels is claimed."""
        return self.labels is not None and self.labels.verdict == "changed"
