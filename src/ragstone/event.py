"""Events of a run, for its listeners: store, progress bar, reports, telemetry, dashboard."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ragstone.case import TestCase
from ragstone.result import NO_USAGE, Result, Usage
from ragstone.run import Run


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins.

    Attributes:
        run: the run, and its plan.
        total: the number of results to come, None where the dataset is a stream.
    """

    run: Run
    total: int | None


@dataclass(frozen=True, slots=True)
class AnsweringStarted:
    """A run begins by asking an application the questions of its dataset; `RunStarted` follows.

    Attributes:
        run: the run; its metrics may change until `RunStarted`, when it is known which fields the answers have.
        total: the number of answers to come, None where the dataset is a stream.
    """

    run: Run
    total: int | None


@dataclass(frozen=True, slots=True)
class Answered:
    """The application has answered a question, or failed to.

    Attributes:
        case_index: the test case's place, from 0.
        case: the test case with the answer; without one, its metadata has `application_error`.
    """

    case_index: int
    case: TestCase


@dataclass(frozen=True, slots=True)
class MeasurementStarted:
    """A metric begins to measure a test case.

    Attributes:
        case_index: the test case's place, from 0.
        metric_index: the metric's place, from 0.
        case: the test case.
        spec: the metric.
    """

    case_index: int
    metric_index: int
    case: TestCase
    spec: str


class ExchangeRecord(Protocol):
    """A prompt and its reply, serialised only on access."""

    @property
    def key(self) -> str:
        """A hash over the whole request."""
        ...

    @property
    def written(self) -> str:
        """The reply as JSON."""
        ...

    @property
    def request(self) -> str:
        """The text that was sent; empty if none was."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeCalled:
    """A judge was called, and answered or failed.

    Attributes:
        prompt: name of the prompt's class.
        judge: the judge's name.
        usage: calls and tokens of the answer.
        cost: US dollars; None if unknown.
        latency_ms: wall time, pauses between retries included.
        error: the error; None if an answer was received.
        recorded: whether the answer was found in a cache, or in an earlier part of the run.
        case_index: the test case that the prompt is about; -1 if it is about none.
        exchange: the prompt and its reply; None without a reply.
    """

    prompt: str
    judge: str
    usage: Usage
    cost: float | None
    latency_ms: float
    error: str | None = None
    recorded: bool = False
    case_index: int = -1
    exchange: ExchangeRecord | None = None


@dataclass(frozen=True, slots=True)
class MeasurementFinished:
    """A metric has measured a test case, or failed to.

    Attributes:
        case_index: the test case's place, from 0.
        metric_index: the metric's place, from 0.
        case: the test case.
        result: the result; a failed one has an error and no score.
    """

    case_index: int
    metric_index: int
    case: TestCase
    result: Result


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """Progress of a batch of requests at a vendor, who answers within a day.

    Attributes:
        number: number of the batch in the run, from 1.
        judge: vendor and model.
        batch: the vendor's id of the batch.
        answered: number of finished requests; some vendors report it only at the end.
        total: number of requests in the batch.
        ended: whether it has ended.
    """

    number: int
    judge: str
    batch: str
    answered: int
    total: int
    ended: bool = False


@dataclass(frozen=True, slots=True)
class JudgeWaiting:
    """A judge's server answers nobody for a while; calls wait for it. Emitted every few seconds until it is over.

    Attributes:
        judge: vendor and model.
        seconds: how long it has not answered; 0 once it answers again.
        cause: the last failure, such as `503`.
        waiting: calls that wait.
        limit: seconds after which the run stops.
    """

    judge: str
    seconds: float
    cause: str
    waiting: int
    limit: float

    @property
    def message(self) -> str:
        """The event as a sentence without a full stop."""
        if not self.seconds:
            return f"{self.judge} answers again"
        calls = "1 call waits" if self.waiting == 1 else f"{self.waiting:,} calls wait"
        return (
            f"{self.judge} has not answered for {self.seconds:.0f} s ({self.cause}), {calls}, retrying; "
            f"the run stops after {self.limit:.0f} s"
        )


@dataclass(frozen=True, slots=True)
class RowRejected:
    """A row of the dataset could not be read; the others go on.

    Attributes:
        message: file, line, and what is wrong.
    """

    message: str


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run ends.

    Attributes:
        run: the run.
        complete: False if it was interrupted.
        why: the cause of the interruption, if known.
        unfinished_usage: usage of measurements that were given up; their answers are kept for `--resume`.
        unfinished_cost: their cost in US dollars; None if unknown.
    """

    run: Run
    complete: bool
    why: str = ""
    unfinished_usage: Usage = NO_USAGE
    unfinished_cost: float | None = 0.0


Event = (
    AnsweringStarted
    | Answered
    | RunStarted
    | MeasurementStarted
    | JudgeCalled
    | BatchProgress
    | JudgeWaiting
    | MeasurementFinished
    | RowRejected
    | RunFinished
)
EventListener = Callable[[Event], None]


def broadcast(*listeners: EventListener) -> EventListener:
    """Return a listener that passes each event to all given listeners, in order."""

    def emit(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return emit
