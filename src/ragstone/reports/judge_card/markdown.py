"""A judge's card as Markdown."""

from collections.abc import Iterator

from ragstone.reports.formats.markdown import escape
from ragstone.reports.judge_card.model import JudgeReport


def render(found: JudgeReport) -> str:
    """Return the card."""
    return "\n".join(_lines(found))


def _lines(found: JudgeReport) -> Iterator[str]:
    yield f"## Judge card: {escape(found.card.judge)}\n"
    yield f"{escape(found.dataset)} · {escape(found.metric)} · asked {found.repeats} times\n"
    yield "| | 95 % | n | |\n| --- | --- | --: | --- |"
    yield from (f"| {name} | {figure} | {n:,} | {meaning} |" for name, figure, n, meaning in found.lines())
    yield ""
    yield from (f"- {escape(note)}" for note in found.notes)
