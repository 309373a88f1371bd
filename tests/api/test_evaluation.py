"""One evaluation from options to report, and what Ctrl-C leaves of it."""

import os
import signal
import time
from pathlib import Path

import pytest

from ragstone import evaluate
from ragstone.api import RunInterrupted
from ragstone.event import Event, MeasurementFinished

CASES = [{"input": f"{number}?", "actual_output": "4", "expected_output": "4"} for number in range(5)]


class Interrupt:
    """Presses Ctrl-C when so many results are there."""

    def __init__(self, count: int) -> None:
        self.left = count

    def __call__(self, event: Event) -> None:
        if isinstance(event, MeasurementFinished):
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGINT)  # Ctrl-C reaches the main thread, not the loop's
                time.sleep(0.3)  # until it is handled there


@pytest.mark.parametrize("kept", [False, True])
def test_an_interrupted_run_raises_with_its_report(tmp_path: Path, *, kept: bool) -> None:
    store = tmp_path / "runs.sqlite3" if kept else None
    with pytest.raises(RunInterrupted) as caught:
        evaluate(CASES, "exact_match", concurrency=1, store=store, listeners=[Interrupt(2)])
    report = caught.value.report
    assert isinstance(caught.value, KeyboardInterrupt)
    assert 0 < len(list(report.flat())) < len(CASES)
    assert not report.complete
    assert caught.value.batches == ()
    if kept:
        whole = evaluate(CASES, store=store, resume=report.run.id)
        assert len(list(whole.flat())) == len(CASES)


def test_an_interruption_before_the_run_starts_has_no_report() -> None:
    def rows() -> object:
        raise KeyboardInterrupt

    class Interrupting:
        def __iter__(self) -> object:
            return rows()

    with pytest.raises(KeyboardInterrupt) as caught:
        evaluate(Interrupting(), "exact_match")
    assert not isinstance(caught.value, RunInterrupted)
