"""The guard as a function: it returns a decision on a test case within a time budget.

The judge runs in a thread pool of its own. When the budget is spent, the guard returns the configured decision without
waiting for the judge. Work that has not started is cancelled; work that has started ends without effect.
"""

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, Self

from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import BadOption
from ragstone.judges import JudgeLike, get_judge
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics
from ragstone.providers.http.transport import open_transport
from ragstone.result import Result
from ragstone.run import Plan
from ragstone.runner.measure import measure_task
from ragstone.runner.tasks import Task

GuardOutcome = Literal["passed", "failed", "over_budget", "unmeasured"]
GuardAction = Literal["allow", "block"]


@dataclass(frozen=True, slots=True)
class GuardDecision:
    """The decision on one answer.

    Attributes:
        allowed: whether the answer may be sent.
        outcome: `passed`: every measured metric passed. `failed`: one did not. `over_budget`: there was no result in
            time. `unmeasured`: a metric could not be measured, or none was.
        results: the results of the metrics, in their order; empty when the budget was spent.
        milliseconds: time that the decision took.
    """

    allowed: bool
    outcome: GuardOutcome
    results: tuple[Result, ...]
    milliseconds: float

    @property
    def reason(self) -> str:
        """The reason for the decision, in one sentence."""
        if self.outcome == "over_budget":
            return f"there was no result within {self.milliseconds:.0f} ms"
        reasons = [
            f"{result.metric}: {result.error or result.reason or result.score}"
            for result in self.results
            if not result.success
        ]
        return "; ".join(reasons) or "every metric passed"


class Guard:
    """Checks answers, each within a time budget. One object serves a whole program; close it at the end."""

    def __init__(
        self,
        metrics: str | Metric | Iterable[str | Metric],
        *,
        judge: str | JudgeLike | None = None,
        budget_ms: float = 300.0,
        over_budget: GuardAction = "allow",
        unmeasured: GuardAction = "allow",
        workers: int = 1,
    ) -> None:
        """Resolve metrics and judge.

        Args:
            metrics: the metrics that an answer must pass.
            judge: the judge or its spec; None for the embedded judge.
            budget_ms: the budget in milliseconds.
            over_budget: the decision on an answer when its budget is spent.
            unmeasured: the decision on an answer that could not be measured.
            workers: number of answers judged at the same time; others wait, within their budget.

        Raises:
            UsageError: a metric or judge does not exist, or a number makes no sense.
        """
        if not budget_ms > 0 or workers < 1:
            raise BadOption(f"budget_ms={budget_ms!r}, workers={workers!r}: both must be above 0.")
        for name, value in (("over_budget", over_budget), ("unmeasured", unmeasured)):
            if value not in ("allow", "block"):
                raise BadOption(f"{name}={value!r} is not an action: give 'allow' or 'block'.")
        self._metrics = parse_metrics(metrics)
        if not self._metrics:
            raise BadOption("A guard needs a metric, such as 'faithfulness'.")
        self._judge = get_judge(judge)
        self._budget_seconds = budget_ms / 1000
        self._actions: dict[GuardOutcome, GuardAction] = {
            "passed": "allow",
            "failed": "block",
            "over_budget": over_budget,
            "unmeasured": unmeasured,
        }
        specs = tuple(metric.spec for metric in self._metrics)
        self._plan = Plan(metrics=specs, judge=self._judge.name, on_missing="skip")
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="ragstone-guard")

    def warm(self) -> Self:
        """Load the judge by measuring a sample case without a budget, so that the first answer does not wait for it."""
        case = TestCase(input="Is it?", actual_output="It is.", retrieval_context=["It is."])
        self._pool.submit(self._measure_in_thread, case).result()
        return self

    def check(self, case: TestCase) -> GuardDecision:
        """Decide on one answer; works in a notebook too."""
        return run_blocking(self.acheck, case)

    async def acheck(self, case: TestCase) -> GuardDecision:
        """Decide on one answer; see `check`."""
        start = perf_counter()
        results: tuple[Result, ...] = ()
        try:
            async with asyncio.timeout(self._budget_seconds):
                results = await asyncio.wrap_future(self._pool.submit(self._measure_in_thread, case))
            outcome = _outcome(results)
        except TimeoutError:
            outcome = "over_budget"
        milliseconds = (perf_counter() - start) * 1000
        return GuardDecision(self._actions[outcome] == "allow", outcome, results, milliseconds)

    def decide_unmeasured(self) -> GuardDecision:
        """Return the decision on an answer without a test case."""
        return GuardDecision(self._actions["unmeasured"] == "allow", "unmeasured", (), 0.0)

    def close(self) -> None:
        """Shut the thread pool down: queued work is cancelled, running work ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        """Return the guard, to be closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _measure_in_thread(self, case: TestCase) -> tuple[Result, ...]:
        """Measure, in a thread with an event loop of its own."""
        return asyncio.run(self._measure(case))

    async def _measure(self, case: TestCase) -> tuple[Result, ...]:
        scheduler = PromptScheduler(self._judge)
        async with open_transport():
            try:
                tasks = (Task(0, index, case, metric) for index, metric in enumerate(self._metrics))
                return tuple([await measure_task(task, scheduler, self._plan) for task in tasks])
            finally:
                await scheduler.close()


def _outcome(results: Iterable[Result]) -> GuardOutcome:
    """Return the outcome of results. A metric that did not pass decides, even if others could not be measured."""
    applicable = [result for result in results if not result.skipped]
    if any(result.score is not None and not result.success for result in applicable):
        return "failed"
    return "unmeasured" if not applicable or any(result.score is None for result in applicable) else "passed"
