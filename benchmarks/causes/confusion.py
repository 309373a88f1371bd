"""Confusion matrix of planted and found causes."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.causes.world import toy_cases
from ragstone import evaluate, explain
from ragstone.judges import JudgeLike


class CauseConfusion(NamedTuple):
    """Confusion matrix of causes.

    Attributes:
        counts: number of test cases by planted and found cause.
        planted: the causes that were planted, in order.
    """

    counts: Counter[tuple[str, str]]
    planted: tuple[str, ...]

    def recall(self, cause: str) -> float:
        """Return the share of test cases with this cause that were found to have it."""
        row = {found: n for (was, found), n in self.counts.items() if was == cause}
        return row.get(cause, 0) / sum(row.values())

    @property
    def macro_recall(self) -> float:
        """The mean of the recalls of all planted causes."""
        return sum(map(self.recall, self.planted)) / len(self.planted)

    def lines(self) -> list[str]:
        """Return one line per planted cause: its recall, and the other causes found instead."""
        lines: list[str] = []
        for cause in self.planted:
            others = sorted(
                ((n, found) for (was, found), n in self.counts.items() if was == cause and found != cause),
                reverse=True,
            )
            told = ", ".join(f"{n} as {found}" for n, found in others)
            total = sum(n for (was, _), n in self.counts.items() if was == cause)
            lines.append(f"{cause:<22} {self.counts[cause, cause]:>4} of {total:<4} {told}")
        return lines


def measure(judge: JudgeLike | str, per_switch: int, *, reworded: bool, seed: int = 0) -> CauseConfusion:
    """Plant each fault `per_switch` times, judge all, and count what `explain` finds."""
    cases = toy_cases(per_switch, reworded=reworded, seed=seed)
    report = evaluate(cases, preset="diagnosis", judge=judge, progress=False)
    found = explain(report)
    pairs = [
        (str(case.case.metadata["planted"]), case.cause.name if case.cause else "passed")
        for case in found.cases
    ]
    return CauseConfusion(Counter(pairs), _in_order([was for was, _ in pairs]))


def _in_order(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
