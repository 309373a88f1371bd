"""The result of a sweep."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ragstone.findings.application import QuantityChange
from ragstone.findings.registry import Renderable
from ragstone.findings.report import Report
from ragstone.metrics.shared.quantities import Quantity
from ragstone.run import SweepPlan
from ragstone.stats.racing import LeaderDifference

CellState = Literal["left", "dropped", "failed"]


@dataclass(frozen=True, slots=True)
class SweepCell:
    """One setting.

    Attributes:
        settings: the setting, as `NAME=VALUE`.
        state: `left` where it is not shown to be worse than the leader, `dropped`, or `failed` where the application
            gave no answer.
        run: its run; None where it was not asked yet.
        questions: how many questions its figures rest on.
        score: mean of the objective over them; None without a score.
        difference: to the leader over the same questions; None for the leader and where it was not compared.
        quantities: means of latency in milliseconds, tokens and US dollars of its answers, where they are known.
        efficient: whether no other setting is shown to be better in quality, cost or latency and worse in none of them.
    """

    settings: tuple[str, ...]
    state: CellState
    run: Report | None = None
    questions: int = 0
    score: float | None = None
    difference: LeaderDifference | None = None
    quantities: Mapping[Quantity, float] = field(default_factory=dict[Quantity, float])
    efficient: bool = False

    @property
    def name(self) -> str:
        """The setting on one line."""
        return " ".join(self.settings) or "(no settings)"


@dataclass(frozen=True, kw_only=True, repr=False)
class SweepReport(Renderable):
    """The result of a sweep.

    Attributes:
        plan: its settings and rules.
        cells: one for each setting, in the order of the grid.
        leader: place of the setting with the greatest mean among those that are left; None where nothing was compared.
        objective: label of the metric that was compared; empty where nothing was measured.
        higher_is_better: direction of that metric.
        rung: rungs that are finished.
        pending: places of the settings that are to be asked in the next rung; empty where the sweep is finished.
        stopped: why it stopped before its end; empty where it did not.
        cheapest: place of the cheapest setting that is left, or, where costs are not known, of that with the fewest
            tokens, or the fastest; None where none of these is known.
        cheapest_by: the quantity that this was decided by.
        saving: how the quantities of that setting compare with those of the leader.
    """

    subject: ClassVar = "sweep"

    plan: SweepPlan
    cells: tuple[SweepCell, ...]
    leader: int | None
    objective: str
    higher_is_better: bool
    rung: int
    pending: tuple[int, ...]
    stopped: str = ""
    cheapest: int | None = None
    cheapest_by: Quantity | None = None
    saving: tuple[QuantityChange, ...] = ()

    def __repr__(self) -> str:
        return f"<SweepReport {self.plan.name}: {len(self.left)} of {len(self.cells)} settings left>"

    @property
    def left(self) -> tuple[SweepCell, ...]:
        """The settings that cannot be told apart from the leader, and the leader."""
        return tuple(cell for cell in self.cells if cell.state == "left")

    @property
    def complete(self) -> bool:
        """Whether the sweep is finished."""
        return not self.pending and not self.stopped

    @property
    def detectable(self) -> float | None:
        """Smallest difference to the leader that these questions show, for each setting that is left.

        None where one setting is left, or the questions are too few to show any.
        """
        found = [cell.difference.detectable for cell in self.left if cell.difference is not None]
        known = [size for size in found if size is not None]
        return max(known) if known and len(known) == len(found) else None

    @property
    def exit_code(self) -> int:
        """0 if the sweep is finished and its settings were measured, otherwise 3."""
        return 0 if self.complete and self.leader is not None else 3

    @property
    def answers(self) -> int:
        """Answers of the application in all runs, failures included."""
        return sum(len(cell.run.cases) for cell in self.cells if cell.run is not None)

    @property
    def all_answers(self) -> int:
        """Answers that the full grid would have taken."""
        runs = [cell.run for cell in self.cells if cell.run is not None]
        repeats = runs[0].run.plan.app_repeats if runs else 1
        return len(self.cells) * self.plan.rungs[-1] * repeats

    @property
    def judge_calls(self) -> int:
        """Calls of the judge in all runs."""
        return sum(cell.run.usage.calls for cell in self.cells if cell.run is not None)

    @property
    def cost(self) -> float | None:
        """US dollars of the judge in all runs; None where a price is not known."""
        costs = [cell.run.cost for cell in self.cells if cell.run is not None]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None
