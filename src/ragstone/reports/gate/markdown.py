"""A gate's decision as Markdown, fit for one comment in a pull request that later decisions replace."""

import re
from collections.abc import Iterator
from typing import IO

from ragstone.reports.comparison import markdown as comparison_markdown
from ragstone.reports.formats.markdown import escape
from ragstone.reports.gate.critical import BrokenCase
from ragstone.reports.gate.decision import GateDecision


def render(decision: GateDecision) -> str:
    """Return the decision as Markdown. The first line is the marker that identifies the comment."""
    return "\n".join(_lines(decision))


def write(decision: GateDecision, file: IO[bytes]) -> None:
    """Write the decision."""
    file.write(render(decision).encode())


def marker(name: str) -> str:
    """Return the HTML comment that marks the decisions of the gate with that name. No name can close the comment."""
    return f"<!-- ragstone:gate:{re.sub(r'[^A-Za-z0-9._]+', '-', name)} -->"


def _lines(decision: GateDecision) -> Iterator[str]:
    baseline = decision.baseline
    yield marker(decision.name)
    yield f"## {comparison_markdown.SIGN_OF_STATE[decision.state]} Gate {escape(decision.name, 80)}: {decision.state}\n"
    yield from (f"- **{escape(reason)}**" for reason in decision.reasons)
    yield from map(_broken_line, decision.broken)
    yield from (f"- ⚠ {escape(warning)}" for warning in (*decision.staleness, *decision.assumptions))
    yield (
        f"\nBaseline: {escape(baseline.place, 200)}, {baseline.report.run.started:%Y-%m-%d} · "
        f"test set `{decision.test_set}`\n"
    )
    yield comparison_markdown.render(decision.comparison)


def _broken_line(case: BrokenCase) -> str:
    sign = "✗" if case.confirmed else "⚠"
    reason = f": {escape(case.reason, 300)}" if case.reason else ""
    told = f"{escape(case.metric)} {case.outcome}"
    return f"- {sign} critical: {escape(case.question or case.case_id, 160)} ({told}){reason}"
