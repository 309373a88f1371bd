"""Progress of a run: a bar on a terminal, a line in a notebook, periodic lines in a log.

It listens to events like every report, writes to standard error, and does not delay measurements.
"""

import sys
from collections.abc import Callable
from html import escape
from importlib import import_module
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from rich.progress import Progress, Task, TaskID
    from rich.text import Text

_LOG_INTERVAL_SECONDS = 15.0
_LABEL = "measuring"
_ASKING = "asking the application"


def progress(file: IO[str], *, clock: Callable[[], float] = monotonic) -> EventListener:
    """Return a listener that shows the progress of a run on `file`: a bar, lines in a log, or a line under the cell."""
    if in_notebook():
        return NotebookProgress(clock=clock)
    return ProgressBar(file) if file.isatty() else ProgressLog(file, clock=clock)


class _Counts:
    """Counts of the answers, or of the measurements, so far."""

    def __init__(self, total: int | None = None) -> None:
        self.total, self.done, self.failed = total, 0, 0
        self._failed_word = "not measured"

    def add(self, event: MeasurementFinished | Answered) -> None:
        """Count a finished measurement or an answer of the application, and whether it failed."""
        self.done += 1
        if isinstance(event, Answered):
            self._failed_word = "without an answer"
            self.failed += APPLICATION_ERROR in event.case.metadata
        else:
            self.failed += event.result.error is not None

    @property
    def failures(self) -> str:
        """The number of failures in words; empty without any."""
        return f"{self.failed:,} {self._failed_word}" if self.failed else ""

    def with_failures(self, text: str) -> str:
        """Return a text, and the number of failures behind it."""
        return f"{text}, {self.failures}" if self.failed else text


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
                self._begin(_ASKING, total)
            case RunStarted(total=total):
                self._begin(_LABEL, total)
            case Answered() | MeasurementFinished() if self._task is not None:
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

    def _begin(self, label: str, total: int | None) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._tally = _Counts()
        self._task = self._bar.add_task(label, total=total, failures="")
        self._bar.start()


class ProgressLog:
    """Progress as log lines: one when the run begins, then one every 15 seconds."""

    def __init__(self, file: IO[str], *, clock: Callable[[], float] = monotonic) -> None:
        self._file, self._clock = file, clock
        self._tally, self._done = _Counts(), "measured"
        self._start = self._printed_at = clock()
        self._batches: set[str] = set()
        self._is_waiting = False

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case AnsweringStarted(run=run, total=total):
                subject = "a stream of questions" if total is None else count(total, "question")
                self._begin(total, "asked", f"asking {run.plan.app} {subject}")
            case RunStarted(run=run, total=total):
                subject = "a stream of results" if total is None else count(total, "result")
                self._begin(total, "measured", f"measuring {subject}, judge {run.plan.judge}")
            case Answered() | MeasurementFinished():
                self._tally.add(event)
                self._print_if_due()
            case BatchProgress():
                self._print_batch(event)
            case JudgeWaiting():
                self._print_waiting(event)
            case _:
                pass

    def _begin(self, total: int | None, done: str, text: str) -> None:
        self._tally, self._done = _Counts(total), done
        self._start = self._printed_at = self._clock()
        self._print(text)

    def _print_batch(self, event: BatchProgress) -> None:
        """Print that a batch was submitted or has ended, or, at most every 15 seconds, its progress."""
        now = self._clock()
        is_new = event.batch not in self._batches
        self._batches.add(event.batch)
        if is_new and not event.ended:
            requests = f"{count(event.total, 'request')} with {event.judge}"
            self._print(f"batch {event.number}: {requests}, {event.batch}")
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
        counted, remaining = f"{done:,} {self._done}", ""
        if total is not None:
            counted = f"{done:,} of {total:,} {self._done}"
            remaining = f", about {duration((now - self._start) * (total - done) / done)} left"
        self._print(f"{self._tally.with_failures(counted)}{remaining}")

    def _print(self, text: str) -> None:
        self._file.write(f"ragstone: {text}\n")
        self._file.flush()


def _batch_text(event: BatchProgress) -> str:
    return f"batch {event.number}: {event.answered:,} of {event.total:,} answered"


_UPDATE_INTERVAL_SECONDS = 0.1  # fast enough for the eye; a kernel's channel can be slower than a judge
_LINE_STYLE = "max-width:36rem;font:13px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums"
_TRACK = "height:4px;margin-top:3px;border-radius:2px;background:rgba(128,128,128,.25);overflow:hidden"


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class NotebookProgress:
    """A line under the running cell: a bar, the number of results, the number of failures, the time left.

    IPython is imported only in a notebook. A saved page keeps the last state, one sentence: the number of results, the
    judge, and the time taken.
    """

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._display: Any = None
        self._start = self._printed_at = clock()
        self._tally = _Counts()
        self._judge = self._ending = ""

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case RunStarted(run=run, total=total):
                self._judge, self._tally = run.plan.judge, _Counts(total)
                self._start = self._printed_at = self._clock()
                show: Any = import_module("IPython.display").display
                self._display = show(self._mime_bundle(self._progress_text()), raw=True, display_id=True)
            case MeasurementFinished():
                self._tally.add(event)
                now = self._clock()
                if now - self._printed_at >= _UPDATE_INTERVAL_SECONDS:
                    self._printed_at = now
                    self._update(self._progress_text())
            case JudgeWaiting():
                self._update(event.message if event.seconds else self._progress_text())
            case RunFinished(complete=complete):
                self._ending = "measured" if complete else "stopped after"
                elapsed = duration(self._clock() - self._start)
                results = self._tally.with_failures(count(self._tally.done, "result"))
                self._update(f"{self._ending} {results} in {elapsed}")
            case _:
                pass

    def _update(self, text: str) -> None:
        if self._display is not None:
            self._display.update(self._mime_bundle(text), raw=True)

    def _progress_text(self) -> str:
        done, total = self._tally.done, self._tally.total
        if total is None:
            return f"measuring{self._tally.with_failures(f': {done:,} so far')}"
        remaining = (self._clock() - self._start) * (total - done) / done if done else 0.0
        estimate = f", about {duration(remaining)} left" if remaining >= 1 else ""
        return f"measuring{self._tally.with_failures(f': {done:,} of {total:,}')}{estimate}"

    def _mime_bundle(self, text: str) -> dict[str, str]:
        judge = f"judge {self._judge}"
        done, total = self._tally.done, self._tally.total
        share = done / total if total else 0.0
        bar = f'<div style="{_TRACK}"><div style="height:4px;width:{share:.1%};background:currentColor"></div></div>'
        page = (
            f'<div style="{_LINE_STYLE}" role="status">{escape(text)} '
            f'<span style="opacity:.6">· {escape(judge)}</span>{"" if self._ending or not total else bar}</div>'
        )
        return {"text/plain": f"{text} · {judge}", "text/html": page}
