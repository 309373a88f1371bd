"""A gate's decision in a terminal: the comparison, then the reasons and warnings, then red, yellow or green."""

from collections.abc import Iterator

from rich.console import Console, RenderableType

from ragstone.reports.comparison import console as comparison_console
from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import STRONG, joined, print_parts, status_mark, untrusted
from ragstone.reports.gate.critical import BrokenCase
from ragstone.reports.gate.decision import GateDecision


def show(
    decision: GateDecision, console: Console, *, flips: int | None = comparison_console.MOST_FLIPS
) -> None:
    """Print a decision.

    Args:
        decision: the decision of a gate.
        console: the console to print on, made without markup; see `plain_console`.
        flips: how many flipped cases of each metric are shown; None for all.
    """
    comparison_console.show(decision.comparison, console, flips=flips)
    print_parts(console, _parts(decision, glyphs_for(console.encoding)))


def _parts(decision: GateDecision, glyphs: Glyphs) -> Iterator[RenderableType]:
    baseline = decision.baseline
    yield joined(
        "\nbaseline ",
        untrusted(baseline.place, glyphs, 200, STRONG),
        f" {glyphs.separator} {baseline.report.run.started:%Y-%m-%d} {glyphs.separator} test set {decision.test_set}",
    )
    for case in decision.broken:
        yield joined("critical: ", untrusted(_describe(case), glyphs, 300))
    for warning in (*decision.staleness, *decision.assumptions):
        yield joined("warning: ", untrusted(warning, glyphs, 400))
    yield joined(
        status_mark(comparison_console.STATUS_OF_STATE[decision.state], glyphs),
        f" gate {decision.state}: ",
        untrusted(decision.verdict, glyphs, 600, STRONG),
    )


def _describe(case: BrokenCase) -> str:
    counted = "" if case.confirmed else ": not counted"
    return f"{case.question or case.case_id} ({case.metric} {case.outcome}{counted})"
