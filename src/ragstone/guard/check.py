"""The guard as a function: it returns a decision on a test case within a time budget.

When the budget is spent, the guard returns the configured decision without waiting for the judge, and ends the
measurement: see `ragstone.guard.long_cases`.
"""

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import perf_counter, time
from typing import Literal, Self

from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import BadOption
from ragstone.guard.long_cases import LongCaseLoop, is_long
from ragstone.judges import JudgeLike, get_judge
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics
from ragstone.providers.http.transport import open_transport
from ragstone.result import Result
from ragstone.run import Plan
from ragstone.runner.measure import measure_task
from ragstone.runner.tasks import Task
from ragstone.status import Status

GuardOutcome = Status | Literal["over_budget", "unreadable"]
GuardAction = Literal["allow", "block"]

_PASSAGES = [
    "Policy 7.1: travellers book a second-class ticket for journeys of up to four hours, unless their manager agrees.",
    "Policy 7.2: receipts are handed in within thirty days; later ones are not refunded.",
    "The bicycle cellar is open from six in the morning until ten at night.",
]
_SAMPLES = [
    TestCase(
        input="Which ticket may I book, and when do I hand in the receipts?",
        actual_output=answer,
        expected_output="Book a second-class ticket, and hand in the receipts within thirty days.",
        retrieval_context=_PASSAGES,
    )
    for answer in (
        "You may book a second-class ticket for trips of at most four hours. Receipts are due within 30 days.",
        "You should book first class, because the journey takes six hours. Receipts may be handed in at any time.",
        "I do not know. The cellar for bicycles is closed at night, and it opens at 6:00.",
    )
]
"""Cases that need every part of the embedded judge: paraphrases, contradictions, numbers and other subjects."""


@dataclass(frozen=True, slots=True)
class GuardDecision:
    """The decision on one answer.

    Attributes:
        allowed: whether the answer may be sent.
        outcome: the status of the answer: `missed` where a metric missed, else `not_measured`, else `undecided`, else
            `passed`; `skipped` where no metric applies. `over_budget`: there was no result in time. `unreadable`: the
            exchange could not be read, or was too large.
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
        if self.outcome == "unreadable":
            return "request or response could not be read, or was too large"
        reasons = [
            f"{result.metric}: {result.error or result.reason or result.score}"
            for result in self.results
            if result.status not in ("passed", "skipped", None)
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
        undecided: GuardAction = "allow",
        not_measured: GuardAction = "allow",
        workers: int = 1,
    ) -> None:
        """Resolve metrics and judge.

        Args:
            metrics: the metrics that an answer must pass.
            judge: the judge or its spec; None for the embedded judge.
            budget_ms: the budget in milliseconds.
            over_budget: the decision on an answer when its budget is spent.
            undecided: the decision on an answer of which the judge could not decide a metric, and none missed.
            not_measured: the decision on an answer that could not be measured, or to which no metric applies.
            workers: number of answers judged at the same time; others wait, within their budget.

        Raises:
            UsageError: a metric or judge does not exist, or a number makes no sense.
        """
        if not budget_ms > 0 or workers < 1:
            raise BadOption(f"budget_ms={budget_ms!r}, workers={workers!r}: both must be above 0.")
        chosen = {"over_budget": over_budget, "undecided": undecided, "not_measured": not_measured}
        for name, value in chosen.items():
            if value not in ("allow", "block"):
                raise BadOption(f"{name}={value!r} is not an action: give 'allow' or 'block'.")
        self._metrics = parse_metrics(metrics)
        if not self._metrics:
            raise BadOption("A guard needs a metric, such as 'faithfulness'.")
        self._judge = get_judge(judge)
        self._budget_seconds = budget_ms / 1000
        self._actions: dict[GuardOutcome, GuardAction] = {
            "passed": "allow",
            "missed": "block",
            "undecided": undecided,
            "not_measured": not_measured,
            "skipped": not_measured,
            "over_budget": over_budget,
        }
        specs = tuple(metric.spec for metric in self._metrics)
        self._plan = Plan(metrics=specs, judge=self._judge.name, on_missing="skip")
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="ragstone-guard")
        self._long = LongCaseLoop(workers)

    def warm(self) -> Self:
        """Load the judge by measuring some sample cases without a budget, so that the first answer does not wait."""
        for case in _SAMPLES:
            self._pool.submit(self._measure_in_thread, case).result()
        return self

    def check(self, case: TestCase) -> GuardDecision:
        """Decide on one answer; works in a notebook too."""
        return run_blocking(self.acheck, case)

    async def acheck(self, case: TestCase) -> GuardDecision:
        """Decide on one answer; see `check`."""
        start = perf_counter()
        results: tuple[Result, ...] = ()
        end = time() + self._budget_seconds
        try:
            async with asyncio.timeout(self._budget_seconds):
                future = (
                    self._long.submit(partial(self._measure, case, end))
                    if is_long(case)
                    else self._pool.submit(self._measure_in_thread, case, end)
                )
                results = await asyncio.wrap_future(future)
            outcome = _outcome(results)
        except TimeoutError:
            outcome = "over_budget"
        milliseconds = (perf_counter() - start) * 1000
        return GuardDecision(self._actions[outcome] == "allow", outcome, results, milliseconds)

    def decide_unreadable(self, action: GuardAction = "block") -> GuardDecision:
        """Return the decision on an exchange that cannot be read: `block`, since its client may have caused that."""
        return GuardDecision(action == "allow", "unreadable", (), 0.0)

    def close(self) -> None:
        """Cancel queued work and end the processes; work in threads ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._long.close()

    def __enter__(self) -> Self:
        """Return the guard, to be closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _measure_in_thread(self, case: TestCase, end: float | None = None) -> tuple[Result, ...]:
        """Measure, in a thread with an event loop of its own."""
        return asyncio.run(self._measure(case, end))

    async def _measure(self, case: TestCase, end: float | None) -> tuple[Result, ...]:
        """Measure until `end`, seconds since 1970; None: without a limit."""
        scheduler = PromptScheduler(self._judge)
        async with asyncio.timeout(None if end is None else max(end - time(), 0.0)), open_transport():
            try:
                tasks = (Task(0, index, case, metric) for index, metric in enumerate(self._metrics))
                return tuple([await measure_task(task, scheduler, self._plan) for task in tasks])
            finally:
                await scheduler.close()


_DECISIVE_FIRST: tuple[Status, ...] = ("missed", "not_measured", "undecided")


def _outcome(results: Iterable[Result]) -> GuardOutcome:
    """Return the outcome of results. A metric that missed decides, even if others could not be measured."""
    statuses = {result.status for result in results if not result.skipped}
    if not statuses:
        return "skipped"
    for status in _DECISIVE_FIRST:
        if status in statuses:
            return status
    return "passed"
