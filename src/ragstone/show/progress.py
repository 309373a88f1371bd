"""Progress of a run: a bar on a terminal, a line in a notebook, periodic lines in a log.

It listens to events like every report, writes to standard error, and does not delay measurements.
"""

from collections.abc import Callable
from time import monotonic
from typing import IO, TYPE_CHECKING

from ragstone.case import APPLICATION_ERROR
from ragstone.event import (
    Answered,
    AnsweringStarted,
    BatchProgress,
    Event,
    EventListener,
    JudgeWaiting,
    MeasurementFinished,
    RunFinished,
    RunStarted,
)
from ragstone.findings.numbers import count, duration
from ragstone.show.notebook import NotebookProgress, in_notebook

if TYPE_CHECKING:
    from rich.progress import Progress, Task, TaskID
    from rich.text import Text

_LOG_INTERVAL_SECONDS = 15.0
_LABEL = "measuring"
_ASKING = "asking the application"


def progress(file: IO[str], *, clock: Callable[[], float] = monotonic) -> EventListener:
    """Return a listener that shows the progress of a run on `file`: a bar, a line in a notebook, or lines in a log.

    Args:
        file: the output stream, usually standard error; a notebook shows the progress under the cell.
        clock: returns the time in seconds, for the estimate.
    """
    if in_notebook():
        return NotebookProgress(clock=clock)
    return ProgressBar(file) if file.isatty() else ProgressLog(file, clock=clock)


class _Counts:
    def __init__(self) -> None:
        self.total: int | None = None
        self.done = 0
        self.failed = 0
        self._failed_word = "not measured"

    def add(self, event: MeasurementFinished) -> None:
        """Count a finished measurement, and whether it failed."""
        self.done += 1
        self.failed += event.result.error is not None

    def add_answer(self, event: Answered) -> None:
        """Count an answer of the application, and whether it failed."""
        self.done, self._failed_word = self.done + 1, "without an answer"
        self.failed += APPLICATION_ERROR in event.case.metadata

    @property
    def failures(self) -> str:
        """The number of failures in words; empty without any."""
        return f"{self.failed:,} {self._failed_word}" if self.failed else ""


def _make_bar(file: IO[str]) -> "Progress":
    from rich.progress import (  # noqa: PLC0415  (a log needs none of it)
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from ragstone.show.render.console import plain_console  # noqa: PLC0415

    class TimeLeft(TimeRemainingColumn):
        """The time left, while something is measured."""

        def render(self, task: "Task") -> "Text":
            """Return no estimate while the run waits for its judge."""
            left = super().render(task)
            is_measuring = task.description in (_LABEL, _ASKING)
            return type(left)("left ").append_text(left) if is_measuring else type(left)("")

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None, style="bright_black", complete_style="default", finished_style="default"),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeLeft(),
        TextColumn("{task.fields[failures]}", style="bold", markup=False),
        console=plain_console(file),
        transient=True,
        expand=True,
    )


class ProgressBar:
    """A progress bar with an estimate of the time left. It is removed when the run ends."""

    def __init__(self, file: IO[str]) -> None:
        self._tally = _Counts()
        self._bar = _make_bar(file)
        self._task: TaskID | None = None

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case AnsweringStarted(total=total):
                self._task = self._bar.add_task(_ASKING, total=total, failures="")
                self._bar.start()
            case Answered() if self._task is not None:
                self._tally.add_answer(event)
                self._bar.update(self._task, completed=self._tally.done, failures=self._tally.failures)
            case RunStarted(total=total):
                if self._task is not None:
                    self._bar.remove_task(self._task)
                self._tally = _Counts()
                self._task = self._bar.add_task(_LABEL, total=total, failures="")
                self._bar.start()
            case MeasurementFinished() if self._task is not None:
                self._tally.add(event)
                self._bar.update(self._task, completed=self._tally.done, failures=self._tally.failures)
            case BatchProgress() if self._task is not None:
                self._bar.update(self._task, description=_LABEL if event.ended else _batch_text(event))
            case JudgeWaiting() if self._task is not None:
                self._bar.update(self._task, description=event.message if event.seconds else _LABEL)
            case RunFinished():
                self._bar.stop()
            case _:
                pass


class ProgressLog:
    """Progress as log lines: one when the run begins, then one every 15 seconds."""

    def __init__(self, file: IO[str], *, clock: Callable[[], float] = monotonic) -> None:
        self._file = file
        self._clock = clock
        self._tally, self._done = _Counts(), "measured"
        self._start = self._printed_at = clock()
        self._batches: set[str] = set()
        self._is_waiting = False

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case AnsweringStarted(run=run, total=total):
                self._begin(total, "asked")
                subject = "a stream of questions" if total is None else count(total, "question")
                self._print(f"asking {run.plan.app} {subject}")
            case Answered():
                self._tally.add_answer(event)
                self._print_if_due()
            case RunStarted(run=run, total=total):
                self._begin(total, "measured")
                subject = "a stream of results" if total is None else count(total, "result")
                self._print(f"measuring {subject}, judge {run.plan.judge}")
            case MeasurementFinished():
                self._tally.add(event)
                self._print_if_due()
            case BatchProgress():
                self._print_batch(event)
            case JudgeWaiting():
                self._print_waiting(event)
            case _:
                pass

    def _begin(self, total: int | None, done: str) -> None:
        self._tally, self._done = _Counts(), done
        self._tally.total = total
        self._start = self._printed_at = self._clock()

    def _print_batch(self, event: BatchProgress) -> None:
        """Print that a batch was submitted or has ended, or, at most every 15 seconds, its progress."""
        now = self._clock()
        is_new = event.batch not in self._batches
        self._batches.add(event.batch)
        if is_new and not event.ended:
            self._print(
                f"batch {event.number}: {count(event.total, 'request')} with {event.judge}, {event.batch}"
            )
        elif event.ended or now - self._printed_at >= _LOG_INTERVAL_SECONDS:
            self._print(_batch_text(event))
        else:
            return
        self._printed_at = now

    def _print_waiting(self, event: JudgeWaiting) -> None:
        """Print at once that the judge does not answer and that it answers again; every 15 seconds in between."""
        now = self._clock()
        is_news = self._is_waiting != bool(event.seconds)
        self._is_waiting = bool(event.seconds)
        if is_news or now - self._printed_at >= _LOG_INTERVAL_SECONDS:
            self._printed_at = now
            self._print(event.message)

    def _print_if_due(self) -> None:
        now = self._clock()
        if now - self._printed_at < _LOG_INTERVAL_SECONDS:
            return
        self._printed_at = now
        done, total = self._tally.done, self._tally.total
        if total is None:
            measured, remaining = f"{done:,} {self._done}", ""
        else:
            measured = f"{done:,} of {total:,} {self._done}"
            remaining = f", about {duration((now - self._start) * (total - done) / done)} left"
        failures = f", {self._tally.failures}" if self._tally.failures else ""
        self._print(f"{measured}{failures}{remaining}")

    def _print(self, text: str) -> None:
        self._file.write(f"ragstone: {text}\n")
        self._file.flush()


def _batch_text(event: BatchProgress) -> str:
    return f"batch {event.number}: {event.answered:,} of {event.total:,} answered"
