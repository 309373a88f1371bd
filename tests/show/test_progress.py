import io
from collections.abc import Iterator

from tests.findings.sample import case, result, run

from ragstone.event import BatchProgress, MeasurementFinished, RowRejected, RunFinished, RunStarted
from ragstone.show.progress import ProgressBar, ProgressLog, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def seconds(*times: float) -> Iterator[float]:
    yield from times
    while True:
        yield times[-1]


def measured(number: int, error: str | None = None) -> MeasurementFinished:
    item = case(number)
    return MeasurementFinished(number, 0, item, result(item, None if error else 1.0, error=error))


def test_a_pipe_gets_lines_and_a_terminal_a_bar() -> None:
    assert isinstance(progress(io.StringIO()), ProgressLog)
    assert isinstance(progress(Terminal()), ProgressBar)


def test_progress_log_writes_at_start_and_every_15_seconds() -> None:
    file, clock = io.StringIO(), seconds(0, 0, 1, 2, 16, 17)
    lines = ProgressLog(file, clock=lambda: next(clock))
    lines(RunStarted(run(), 100))
    for number in range(4):
        lines(measured(number, "TimedOut: late" if number == 1 else None))
    lines(RunFinished(run(), complete=True))
    assert file.getvalue().splitlines() == [
        "ragstone: measuring 100 results, judge openai:gpt-4o-mini",
        "ragstone: 3 of 100 measured, 1 not measured, about 8 min 37 s left",
    ]


def test_a_stream_has_no_estimate() -> None:
    file, clock = io.StringIO(), seconds(0, 0, 20)
    lines = ProgressLog(file, clock=lambda: next(clock))
    lines(RunStarted(run(), None))
    lines(measured(1))
    lines(RowRejected("line 2"))
    assert file.getvalue().splitlines() == [
        "ragstone: measuring a stream of results, judge openai:gpt-4o-mini",
        "ragstone: 1 measured",
    ]


def test_progress_bar_counts_and_clears_at_the_end() -> None:
    file = Terminal()
    bar = ProgressBar(file)
    bar(RunStarted(run(), 2))
    bar(measured(1))
    bar(measured(2, "TimedOut: late"))
    bar(RunFinished(run(), complete=True))
    assert "2/2" in file.getvalue()
    assert "1 not measured" in file.getvalue()
    assert file.getvalue().endswith("\x1b[2K")


def test_progress_log_reports_batch_start_progress_and_end() -> None:
    file, clock = io.StringIO(), seconds(0, 0, 1, 5, 20, 21, 22)
    lines = ProgressLog(file, clock=lambda: next(clock))
    lines(RunStarted(run(), 100))
    for answered, ended in ((0, False), (10, False), (340, False), (350, False), (1200, True)):
        lines(BatchProgress(2, "openai:gpt-4o-mini", "batch_1", answered, 1200, ended=ended))
    assert file.getvalue().splitlines()[1:] == [
        "ragstone: batch 2: 1,200 requests with openai:gpt-4o-mini, batch_1",
        "ragstone: batch 2: 340 of 1,200 answered",
        "ragstone: batch 2: 1,200 of 1,200 answered",
    ]


def test_progress_bar_shows_batch_progress_until_its_end() -> None:
    bar = ProgressBar(Terminal())
    bar(RunStarted(run(), 2))
    (task,) = bar._bar.tasks
    bar(BatchProgress(1, "openai:gpt-4o-mini", "batch_1", 340, 1200))
    assert task.description == "batch 1: 340 of 1,200 answered"
    bar(BatchProgress(1, "openai:gpt-4o-mini", "batch_1", 1200, 1200, ended=True))
    assert task.description == "measuring"
    bar(RunFinished(run(), complete=True))
