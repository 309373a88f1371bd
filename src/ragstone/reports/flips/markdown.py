"""An explained comparison as Markdown: the comparison, then the flipped cases by cause and document."""

from collections.abc import Iterator

from ragstone.reports.comparison import markdown as comparison_markdown
from ragstone.reports.flips.model import ExplainedComparison, FlippedCase, group_sentence
from ragstone.reports.formats.markdown import escape
from ragstone.reports.numbers import count

_MAX_CASES, _MAX_GROUPS = 20, 8


def render(found: ExplainedComparison) -> str:
    """Return the comparison with its causes."""
    return "\n".join([comparison_markdown.render(found.comparison), *_lines(found)])


def _lines(explained: ExplainedComparison) -> Iterator[str]:
    if not explained.flipped:
        return
    yield "\n### Why\n"
    for group in explained.groups[:_MAX_GROUPS]:
        total = len(explained.broke) if group.broke else len(explained.flipped) - len(explained.broke)
        yield f"- {'✗' if group.broke else '✓'} {escape(group_sentence(group, total))}"
    yield "\n| | case | before | after | left | entered |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from map(_row, explained.flipped[:_MAX_CASES])
    if len(explained.flipped) > _MAX_CASES:
        yield f"\nand {count(len(explained.flipped) - _MAX_CASES, 'other')}"


def _row(flip: FlippedCase) -> str:
    cells = (
        "✗" if flip.broke else "✓",
        escape(flip.case.input or flip.case.id, 120),
        flip.before,
        flip.after,
        _names(flip.left),
        _names(flip.entered),
    )
    return f"| {' | '.join(cells)} |"


def _names(names: tuple[str, ...]) -> str:
    text = ", ".join(escape(name, 60) for name in names[:3])
    return f"{text} and {len(names) - 3} more" if len(names) > 3 else text  # noqa: PLR2004  (as many as a cell holds)
