"""Estimate calls, tokens and cost of a run: the whole engine runs with a dry-run judge, once terse and once at length.

Calls that depend on no answer are equal both times, so they are exact; the others are a range. Shared prompts are
counted once, as in a real run, and cached answers cost nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.engine.dry_run import DryRunJudge
from ragstone.event import Event, JudgeCalled
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.options import Limits
from ragstone.run import Plan, Run
from ragstone.runner.execute import execute

MOST_CASES = 300  # test cases that are run; the figures of a larger dataset are extrapolated from them


@dataclass(frozen=True, slots=True)
class EstimateRange:
    """A range of calls, tokens or dollars."""

    least: float
    most: float

    def times(self, factor: float) -> "EstimateRange":
        """Return both ends, multiplied."""
        return EstimateRange(self.least * factor, self.most * factor)


@dataclass(frozen=True)
class RunEstimate:
    """Expected calls, tokens and cost of a run.

    Attributes:
        judge: the judge that would be asked.
        cases: how many test cases there are.
        sampled: how many of them the estimate is based on.
        calls: judge calls, without re-asks after an unusable answer.
        input_tokens: tokens sent, at four characters per token.
        output_tokens: tokens received.
        cost: US dollars; None where the price is not known.
        batch: whether the cost is that of batches.
        rejected: how many rows could not be read, and are not measured.
    """

    judge: str
    cases: int
    sampled: int
    calls: EstimateRange
    input_tokens: EstimateRange
    output_tokens: EstimateRange
    cost: EstimateRange | None
    batch: bool = False
    rejected: int = 0

    def __str__(self) -> str:
        """Return the estimate in three lines, and a fourth on rows that could not be read."""
        about = f", from the first {self.sampled:,}" if self.sampled < self.cases else ""
        cost = "cost unknown: no price for this judge" if self.cost is None else _range(self.cost, "${:,.4f}")
        if self.batch and self.cost is not None:
            cost += " in batches, half the standard price"
        unread = f"\nnot read: {self.rejected:,} of the rows" if self.rejected else ""
        return (
            f"{self.judge}, {self.cases:,} test cases{about}:\n"
            f"{_range(self.calls)} calls, {_range(self.input_tokens)} tokens sent, "
            f"{_range(self.output_tokens)} tokens received\n{cost}{unread}"
        )


async def estimate(
    plan: Plan, rows: Iterable[TestCase | BadRow], metrics: Sequence[Metric], judge: Judge
) -> RunEstimate:
    """Return the expected calls, tokens and cost of measuring `metrics` on all rows with `judge`. Nothing is sent."""
    rejected = 0

    def read() -> Iterator[TestCase]:
        nonlocal rejected
        for row in rows:
            if isinstance(row, TestCase):
                yield row
            else:
                rejected += 1

    valid_rows = read()
    sample = list(islice(valid_rows, MOST_CASES))
    cases = len(sample) + sum(1 for _ in valid_rows)
    unbound = plan.model_copy(update={**dict.fromkeys(Limits.model_fields), "batch": False})
    plans = (
        unbound,
        unbound.model_copy(update={"flagged_only": ()}),
    )  # at best no answer is flagged, at worst all
    runs = [
        await _dry_run(each, sample, metrics, judge, generous=generous)
        for each, generous in zip(plans, (False, True), strict=True)
    ]
    factor = cases / len(sample) if sample else 1.0
    calls, sent, received, cost = (
        EstimateRange(*sorted((runs[0][index], runs[1][index]))).times(factor) for index in range(4)
    )
    known_cost = cost if all(run[-1] for run in runs) else None
    figures = (calls, sent, received, known_cost)
    return RunEstimate(judge.name, cases, len(sample), *figures, plan.batch, rejected)


async def _dry_run(
    plan: Plan, sample: Sequence[TestCase], metrics: Sequence[Metric], judge: Judge, *, generous: bool
) -> tuple[float, float, float, float, bool]:
    """Return calls, tokens sent and received, cost, and whether all prices are known."""
    judge_calls: list[JudgeCalled] = []

    def listen(event: Event) -> None:
        if isinstance(event, JudgeCalled) and event.error is None:
            judge_calls.append(event)

    await execute(Run.begin(plan), sample, metrics, DryRunJudge(judge, generous=generous), listen)
    return (
        sum(event.usage.calls for event in judge_calls),
        sum(event.usage.input_tokens for event in judge_calls),
        sum(event.usage.output_tokens for event in judge_calls),
        sum(event.cost or 0.0 for event in judge_calls),
        all(event.cost is not None for event in judge_calls),
    )


def _range(span: EstimateRange, number_format: str = "{:,.0f}") -> str:
    low, high = number_format.format(span.least), number_format.format(span.most)
    return low if low == high else f"{low} to {high}"
