"""`sweep` and `asweep`: several settings of an application are raced over the same questions."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ragstone.api._selection import resolve_judge, select_metrics
from ragstone.api._sweep_grid import Grid, find_sweep, read_grid, runs_of
from ragstone.api.evaluation import Evaluation
from ragstone.api.options import Metrics, read_options
from ragstone.applications import parse_settings
from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset, source_name
from ragstone.errors import BadDataset, BadOption
from ragstone.findings.numbers import count
from ragstone.findings.sweep import RaceProgress, SweepReport, SweptRun, race_progress, sweep_report
from ragstone.findings.sweep.progress import find_objective
from ragstone.run import SweepPlan
from ragstone.runner.answering import APPLICATION_FAILED
from ragstone.stats.racing import rungs_of
from ragstone.store import Store, open_store

if TYPE_CHECKING:
    from ragstone.findings import Report

ERROR = 0.05


def sweep(
    data: object,
    grid: Grid,
    metrics: Metrics = (),
    *,
    objective: str | None = None,
    error: float = ERROR,
    **options: Any,  # noqa: ANN401  (see `EvaluateOptions`)
) -> SweepReport:
    """Race several settings of an application over the same questions; return which cannot be told apart from the best.

    Args:
        data: the questions, as for `evaluate`.
        grid: values to try by the name of a setting, such as `{"top_k": [2, 5, 10]}`, all combined; or the path of a
            TOML file of that form. They reach a function as keywords, a URL and a command as `settings` in the JSON.
        metrics: as for `evaluate`.
        objective: the metric that is compared, by its name or spec; by default the first.
        error: greatest chance that a setting is dropped by one that is not better.
        options: those of `evaluate`: `app` is needed, `store` is by default the file in the user's data folder, `name`
            names the sweep, `resume` continues the sweep of that name, `max_cost` is for the sweep as a whole.

    Raises:
        UsageError: the sweep cannot run, and nothing was asked.
    """
    return Sweep(data, grid, metrics, options, objective=objective, error=error).race()


async def asweep(
    data: object,
    grid: Grid,
    metrics: Metrics = (),
    *,
    objective: str | None = None,
    error: float = ERROR,
    **options: Any,  # noqa: ANN401  (see `EvaluateOptions`)
) -> SweepReport:
    """Race several settings of an application over the same questions; see `sweep`."""
    return await Sweep(data, grid, metrics, options, objective=objective, error=error).run()


class Sweep:
    """A sweep, ready to run.

    Attributes:
        plan: its settings and rules.
    """

    def __init__(
        self,
        data: object,
        grid: Grid,
        metrics: Metrics,
        options: Mapping[str, Any],
        *,
        objective: str | None = None,
        error: float = ERROR,
        listener: Callable[[str], None] | None = None,
    ) -> None:
        """Read the questions and the grid; nothing is asked yet. `listener` is told each step."""
        self._options = read_options("sweep", options)
        self._metrics, self._listener = metrics, listener
        self._dataset = source_name(data)
        specs = self._check(objective, error)
        rows = islice(read_dataset(data), self._options.limit)
        self._questions = sorted(map(_readable, rows), key=_shuffled)
        if not self._questions:
            raise BadOption(f"{self._dataset}: there is no question that could be asked")
        settings = read_grid(grid)
        own = parse_settings(self._options.app_settings).keys()
        if both := own & parse_settings(settings[0]).keys():
            raise BadOption(
                f"app_settings: {', '.join(sorted(both))} is in the grid too: leave it out of one"
            )
        self._store: Store | None = None
        stem = Path(grid).stem if isinstance(grid, str | Path) else "sweep"
        self.plan = SweepPlan(
            name=self._options.name or f"{stem}-{uuid4().hex[:6]}",
            settings=settings,
            rungs=rungs_of(len(self._questions)),
            error=error,
            objective=objective,
            metrics=tuple(specs),
            questions=blake2b(b"".join(map(_shuffled, self._questions)), digest_size=8).hexdigest(),
        )

    def bounds(self) -> str:
        """Return, in three lines, how many answers the application will be asked for, at least and at most."""
        settings, rungs, repeats = len(self.plan.settings), self.plan.rungs, self._options.app_repeats
        least, most = (settings * rungs[place] * repeats for place in (0, -1))
        return (
            f"{settings} settings, {rungs[-1]} questions, in rungs of {', '.join(map(str, rungs))}:\n"
            f"{least:,} to {most:,} answers of the application, each of which is judged.\n"
            "How many judge calls an answer takes is known once there are answers: `ragstone run --limit 20` tells; "
            "--max-cost bounds the sweep."
        )

    def race(self) -> SweepReport:
        """Run the sweep from blocking code; see `run`."""
        return run_blocking(self.run)

    async def run(self) -> SweepReport:
        """Race the settings, and return the result."""
        runs = self._begin()
        stopped = ""
        while not stopped and (progress := race_progress(self.plan, runs)).pending:
            stopped = await self._run_rung(progress, runs)
        return sweep_report(self.plan, runs, stopped)

    async def _run_rung(self, progress: RaceProgress, runs: list[SweptRun | None]) -> str:
        """Ask the settings that are left the questions of the next rung; return why it stopped, empty if it did not."""
        size, left = self.plan.rungs[progress.rung], progress.states.count("left")
        for number, place in enumerate(progress.pending, left - len(progress.pending) + 1):
            if self._listener is not None:
                self._listener(
                    f"rung {progress.rung + 1} of {len(self.plan.rungs)}, setting {number} of {left}, "
                    f"{count(size, 'question')}: {' '.join(self.plan.settings[place])}"
                )
            report = await self._ask(place, size, runs)
            runs[place] = SweptRun(report, size if report.complete else 0)
            if not report.complete and not report.stopped.startswith(APPLICATION_FAILED):
                return report.stopped or "a run did not end"
        return ""

    async def _ask(self, place: int, size: int, runs: Sequence[SweptRun | None]) -> "Report":
        """Ask a setting the questions of a rung that it was not asked yet, and judge the answers."""
        options, plan, run = self._options, self.plan, runs[place]
        settings = (*options.app_settings, *plan.settings[place])
        limits = options.limits
        if limits.max_cost is not None:  # that of a run counts what the run has cost already
            others = (other.report.cost or 0.0 for other in runs if other is not None and other is not run)
            left = max(limits.max_cost - sum(others), 1e-9)
            limits = limits.model_copy(update={"max_cost": left})
        update = {
            "name": f"{plan.name} {' '.join(plan.settings[place])}",
            "tags": (*options.tags, f"sweep={plan.name}"),
            "app_settings": settings,
            "limit": size,
            "limits": limits,
            "store": self._store,
            "resume": None if run is None else run.report.run.id,
            "retry_failed": False,
        }
        changed = options.model_copy(update=update)
        evaluation = Evaluation(self._questions, self._metrics, changed, sweep=plan, dataset=self._dataset)
        return await evaluation.run()

    def _begin(self) -> list[SweptRun | None]:
        """Open the store, and return the runs of the sweep that is continued; none for a new one."""
        store = self._options.store
        self._store = store if isinstance(store, Store) else open_store(True if store is None else store)
        name = self._options.resume
        if name is None:
            if next(runs_of(self._store, self.plan.name), None) is not None:
                raise BadOption(
                    f"there is a sweep {self.plan.name!r} already: continue it with --resume (resume=…), or give "
                    "another name"
                )
            return [None] * len(self.plan.settings)
        plan, runs = find_sweep(self._store, name)
        wanted = self.plan.model_copy(update={"name": plan.name})
        if wanted != plan:
            fields = SweepPlan.model_fields
            differs = next(field for field in fields if getattr(plan, field) != getattr(wanted, field))
            what = {"settings": "settings (the grid)", "rungs": "questions"}.get(differs, differs)
            raise BadOption(
                f"the sweep {plan.name!r} was started with other {what}: continue it as it was started, or "
                "start a new one"
            )
        self._check_judge(plan.name, runs)
        self.plan = plan
        return runs

    def _check_judge(self, name: str, runs: Sequence[SweptRun | None]) -> None:
        """Refuse to go on with another judge than that of the runs so far, also where none of them is continued."""
        options = self._options
        judge = resolve_judge(options.judge, cache=options.cache, offline=options.offline, batch=False).name
        begun = next((run.report.run.plan.judge for run in runs if run is not None), judge)
        if judge != begun:
            raise BadOption(
                f"the sweep {name!r} was started with the judge {begun!r}, now {judge!r}: continue it as it was "
                "started, or start a new one"
            )

    def _check(self, objective: str | None, error: float) -> dict[str, str]:
        """Return the metrics that may be measured, with their titles."""
        options = self._options
        if options.app is None:
            raise BadOption("a sweep needs app (--app): the application whose settings are compared")
        if options.store is False:
            raise BadOption("store=False: a sweep keeps its runs in a store, from which it is continued")
        if not 0.0 < error < 1.0:
            raise BadOption(f"error={error!r} is no chance: give a number between 0 and 1, such as 0.05")
        named, preset = select_metrics(self._metrics, options.preset, options.threshold)
        specs = {metric.spec: metric.title for metric in (*named, *preset)}
        if find_objective(specs, objective) is None:
            raise BadOption(
                f"objective={objective!r} is not measured: write one of {', '.join(specs)}, or name it as a metric too"
            )
        return specs


def _readable(row: TestCase | BadRow) -> TestCase:
    if isinstance(row, BadRow):
        raise BadDataset(f"{row}: a sweep asks all settings all questions: correct the row, or remove it")
    return row


def _shuffled(case: TestCase) -> bytes:
    """Return a key that puts questions into an order of chance, the same for the same questions."""
    return blake2b(f"{case.id}\0{case.input}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
