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

from ragstone.event import Event, MeasurementFinished, RunFinished, RunStarted
from ragstone.reports.numbers import count, duration

_EVERY_SECONDS = 0.1  # fast enough for the eye; a kernel's channel can be slower than a judge
_STYLE = "max-width:36rem;font:13px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums"
_TRACK = "height:4px;margin-top:3px;border-radius:2px;background:rgba(128,128,128,.25);overflow:hidden"


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class NotebookProgress:
    """A line under the running cell: a bar, the number of results, the number of failures, the time left."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        """Show nothing yet; take the time from `clock`."""
        self._clock = clock
        self._shown: Any = None
        self._start = self._printed_at = clock()
        self._total: int | None = None
        self._done = self._failed = 0
        self._judge = self._over = ""

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case RunStarted(run=run, total=total):
                self._judge, self._total = run.plan.judge, total
                self._start = self._printed_at = self._clock()
                show: Any = import_module("IPython.display").display
                self._shown = show(self._bundle(self._so_far()), raw=True, display_id=True)
            case MeasurementFinished():
                self._done += 1
                self._failed += event.result.error is not None
                self._print_if_due()
            case RunFinished(complete=complete):
                self._over = "measured" if complete else "stopped after"
                self._update(self._end())
            case _:
                pass

    def _print_if_due(self) -> None:
        now = self._clock()
        if now - self._printed_at >= _EVERY_SECONDS:
            self._printed_at = now
            self._update(self._so_far())

    def _update(self, text: str) -> None:
        if self._shown is not None:
            self._shown.update(self._bundle(text), raw=True)

    def _so_far(self) -> str:
        """Return the progress so far."""
        if self._total is None:
            return f"measuring{self._counted(f': {self._done:,} so far')}"
        spent = self._clock() - self._start
        left = spent * (self._total - self._done) / self._done if self._done else None
        said = f", about {duration(left)} left" if left is not None and left >= 1 else ""
        return f"measuring{self._counted(f': {self._done:,} of {self._total:,}')}{said}"

    def _end(self) -> str:
        """Return the final line."""
        took = duration(self._clock() - self._start)
        return f"{self._over} {self._counted(count(self._done, 'result'))} in {took}"

    def _counted(self, done: str) -> str:
        return f"{done}, {self._failed:,} failed" if self._failed else done

    def _bundle(self, text: str) -> dict[str, str]:
        """Return the line as HTML and as plain text."""
        by = f"judge {self._judge}"
        share = self._done / self._total if self._total else 0.0
        bar = f'<div style="{_TRACK}"><div style="height:4px;width:{share:.1%};background:currentColor"></div></div>'
        page = (
            f'<div style="{_STYLE}" role="status">{escape(text)} '
            f'<span style="opacity:.6">· {escape(by)}</span>{"" if self._over or not self._total else bar}</div>'
        )
        return {"text/plain": f"{text} · {by}", "text/html": page}
