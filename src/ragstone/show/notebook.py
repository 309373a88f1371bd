"""Progress of a run in a notebook: one line under the cell, updated in place.

IPython is imported only in a notebook. A saved page keeps the last state, one sentence: the number of results, the
judge, and the time taken.
"""

import sys
from collections.abc import Callable
from html import escape
from importlib import import_module
from time import monotonic
from typing import Any

from ragstone.event import Event, JudgeWaiting, MeasurementFinished, RunFinished, RunStarted
from ragstone.findings.numbers import count, duration

_UPDATE_INTERVAL_SECONDS = 0.1  # fast enough for the eye; a kernel's channel can be slower than a judge
_LINE_STYLE = "max-width:36rem;font:13px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums"
_TRACK = "height:4px;margin-top:3px;border-radius:2px;background:rgba(128,128,128,.25);overflow:hidden"


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class NotebookProgress:
    """A line under the running cell: a bar, the number of results, the number of failures, the time left."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._display: Any = None
        self._start = self._printed_at = clock()
        self._total: int | None = None
        self._done = self._failed = 0
        self._judge = self._ending = ""

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case RunStarted(run=run, total=total):
                self._judge, self._total = run.plan.judge, total
                self._start = self._printed_at = self._clock()
                show: Any = import_module("IPython.display").display
                self._display = show(self._mime_bundle(self._progress_text()), raw=True, display_id=True)
            case MeasurementFinished():
                self._done += 1
                self._failed += event.result.error is not None
                self._print_if_due()
            case JudgeWaiting():
                self._update(event.message if event.seconds else self._progress_text())
            case RunFinished(complete=complete):
                self._ending = "measured" if complete else "stopped after"
                self._update(self._final_text())
            case _:
                pass

    def _print_if_due(self) -> None:
        now = self._clock()
        if now - self._printed_at >= _UPDATE_INTERVAL_SECONDS:
            self._printed_at = now
            self._update(self._progress_text())

    def _update(self, text: str) -> None:
        if self._display is not None:
            self._display.update(self._mime_bundle(text), raw=True)

    def _progress_text(self) -> str:
        if self._total is None:
            return f"measuring{self._with_failures(f': {self._done:,} so far')}"
        elapsed = self._clock() - self._start
        remaining = elapsed * (self._total - self._done) / self._done if self._done else None
        estimate = f", about {duration(remaining)} left" if remaining is not None and remaining >= 1 else ""
        return f"measuring{self._with_failures(f': {self._done:,} of {self._total:,}')}{estimate}"

    def _final_text(self) -> str:
        elapsed = duration(self._clock() - self._start)
        return f"{self._ending} {self._with_failures(count(self._done, 'result'))} in {elapsed}"

    def _with_failures(self, done: str) -> str:
        return f"{done}, {self._failed:,} not measured" if self._failed else done

    def _mime_bundle(self, text: str) -> dict[str, str]:
        judge = f"judge {self._judge}"
        share = self._done / self._total if self._total else 0.0
        bar = f'<div style="{_TRACK}"><div style="height:4px;width:{share:.1%};background:currentColor"></div></div>'
        page = (
            f'<div style="{_LINE_STYLE}" role="status">{escape(text)} '
            f'<span style="opacity:.6">· {escape(judge)}</span>{"" if self._ending or not self._total else bar}</div>'
        )
        return {"text/plain": f"{text} · {judge}", "text/html": page}
