"""A judge's card as Markdown."""

from collections.abc import Iterator

from ragstone.reports.formats.markdown import escape
from ragstone.reports.judge_card.model import JudgeReport


def render(found: JudgeReport) -> str:
    """Return the card."""
    return "\n".join(_lines(found))


def _lines(report: JudgeReport) -> Iterator[str]:
    yield f"## Judge card: {escape(report.card.judge)}\n"
    yield f"{escape(report.dataset)} · {escape(report.metric)} · asked {report.repeats} times\n"
    yield "| | 95 % | n | |\n| --- | --- | --: | --- |"
    yield from (f"| {name} | {figure} | {n:,} | {meaning} |" for name, figure, n, meaning in report.lines())
    yield ""
    yield from (f"- {escape(note)}" for note in report.notes)
