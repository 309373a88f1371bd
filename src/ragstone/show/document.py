"""A document: title, facts, sections, tables, lists, plots and a verdict, before any renderer lays them out.

Each subject builds its document once; `ragstone.show.render` turns it into text for a terminal, Markdown or HTML. Texts
in it are plain: a renderer escapes them, so a text under evaluation cannot add markup. `cut` shortens long ones.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from ragstone.findings.numbers import count
from ragstone.findings.printable import one_line
from ragstone.status import Status

if TYPE_CHECKING:  # a list of runs needs no statistics
    from ragstone.stats.interval import Interval

Style = Literal["", "strong", "quiet", "yes", "no", "idk", "undecided", "share"]
"""How a text is set off: plain, important, unimportant, in the colour of a verdict, or on a bar of its share."""

DASH, DOT, ARROW, MINUS = "\N{EN DASH}", "\N{MIDDLE DOT}", "→", "\N{MINUS SIGN}"


class StyledText(NamedTuple):
    """A part of a line."""

    text: str
    style: Style = ""  # how it is set off
    share: float = 0.0  # length of the bar behind it, from 0 to 1; only with the style `share`


Line = tuple[StyledText, ...]
"""Spans that follow each other on one line."""

BULLET = StyledText(DASH)
"""The mark of an item that has no status."""

SIGNS: dict[Status | None, StyledText] = {
    "passed": StyledText("✓", "yes"),
    "missed": StyledText("✗", "no"),
    "undecided": StyledText("?", "undecided"),
    "not_measured": StyledText("⚠", "undecided"),
    "skipped": StyledText(DASH, "undecided"),
    None: StyledText(DOT),
}
"""The mark of each status; a dot for a score without a threshold."""

VERDICT_SIGNS = {
    "yes": StyledText("✓", "yes"),
    "no": StyledText("✗", "no"),
    "idk": StyledText("○", "idk"),
    "undecided": StyledText("?", "undecided"),
}
"""The mark of each verdict."""


class Plot(NamedTuple):
    """Scores on an axis: their distribution, the mean with its interval, and a tick."""

    scores: Sequence[float] = ()  # the scores whose distribution is drawn; empty for none
    mean: float | None = None  # the mean, drawn as a dot
    interval: "Interval | None" = None  # its interval; None where it is not drawn
    tick: float | None = None  # the threshold, or 0 for a difference
    low: float = 0.0  # lower end of the axis
    high: float = 1.0  # upper end of the axis
    label: str = ""  # the plot in words


class Part(NamedTuple):
    """A part of a whole."""

    name: str  # what it is
    share: float  # its share of the whole, from 0 to 1
    sign: str  # its pattern, from `PART_SIGNS`; a question mark for what is undecided


PART_SIGNS = "█▓▒░"
"""The patterns of the parts of a bar; they repeat where there are more parts."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A whole as one bar, its parts one after the other."""

    parts: tuple[Part, ...]  # the parts, whose shares add up to 1
    label: str = ""  # the bar in words


class TableColumn(NamedTuple):
    """A column of a table."""

    name: str  # its heading
    number: bool = False  # whether it is aligned to the right
    style: Style = ""  # of its cells
    # whether its cells are written without the heading where a row is not laid out as a row
    bare: bool = False


class Row(NamedTuple):
    """A row of a table."""

    cells: tuple[Line | str, ...]  # one for each column; the first is the row's name
    remark: str = ""  # beside its name
    plot: Plot | None = None
    notes: tuple[str, ...] = ()  # sentences on it


@dataclass(frozen=True, slots=True)
class Table:
    """A table."""

    columns: tuple[TableColumn, ...]
    rows: tuple[Row, ...]
    note: str = ""  # a sentence below it
    # a terminal narrower than this shows each row as a paragraph instead, and a page as a card; 0 never
    least_width: int = 0


class Item(NamedTuple):
    """An entry of a list."""

    line: Line  # its text
    mark: StyledText | None = None  # before it; None for none
    notes: tuple[Line, ...] = ()  # lines below it
    items: tuple["Item", ...] = ()  # entries below it


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of text."""

    line: Line


class Point(NamedTuple):
    """A point of a scatter plot."""

    x: float  # its place on the horizontal axis
    y: float  # its place on the vertical axis
    name: str
    # whether it is efficient, else whether it is left or dropped: how it is drawn
    kind: Literal["efficient", "left", "dropped"]


@dataclass(frozen=True, slots=True)
class Scatter:
    """A scatter plot; only a page draws it, since a table beside it has the same figures."""

    points: tuple[Point, ...]
    x_name: str  # what the horizontal axis shows
    y_name: str  # what the vertical axis shows
    x_ends: tuple[str, str]  # least and greatest value of the horizontal axis, with units


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it."""

    title: str | StyledText  # its heading; a span where it is a name and keeps its spelling
    blocks: tuple["Block", ...]  # what stands below it
    remark: str = ""  # beside the heading


@dataclass(frozen=True, slots=True)
class Document:
    """All that is said about one subject."""

    kind: str  # the kind of subject in one or two words, such as `compare`
    title: Line  # its name
    facts: tuple[Line, ...] = ()  # what it rests on, one line each
    blocks: tuple["Block", ...] = ()  # its body
    verdict: str = ""  # the conclusion in a sentence; empty where there is none
    status: Status | None = None  # the mark of the conclusion; None for none
    closing: tuple[str, ...] = ()  # figures on the work that it took
    comment: str = ""  # a comment at the top of its Markdown
    # what changed against an earlier one, in a sentence that follows the conclusion; empty without one
    change: str = ""


Block = Paragraph | Items | Table | Bar | Scatter | Section | Document


def written(blocks: Iterable[Block]) -> list[Block]:
    """Return the blocks that are texts: no plots of a page, and no sections of nothing else."""
    return [
        block
        for block in blocks
        if not isinstance(block, Scatter) and not (isinstance(block, Section) and not written(block.blocks))
    ]


def line(*parts: str | StyledText | Line) -> Line:
    """Return the parts as one line."""
    spans: list[StyledText] = []
    for part in parts:
        if isinstance(part, StyledText):
            spans.append(part)
        elif isinstance(part, str):
            spans.append(StyledText(part))
        else:
            spans.extend(part)
    return tuple(span for span in spans if span.text)


def cut(text: str, limit: int) -> str:
    """Return a text on one line, cut to a number of characters with an ellipsis."""
    return one_line(text, limit)


def table(
    names: Sequence[str],
    rows: Iterable[Iterable[Line | str]],
    *,
    numbers: Container[str] = (),
    strong: Container[str] = (),
    note: str = "",
) -> Table:
    """Return a table of columns with these headings; those in `numbers` are aligned to the right."""
    columns = tuple(TableColumn(name, name in numbers, "strong" if name in strong else "") for name in names)
    return Table(columns, tuple(Row(tuple(cells)) for cells in rows), note)


def strong(text: str, limit: int = 80) -> StyledText:
    """Return an important text, cut to a number of characters."""
    return StyledText(cut(text, limit), "strong")


def quiet(text: str, limit: int = 400) -> StyledText:
    """Return an unimportant text, cut to a number of characters."""
    return StyledText(cut(text, limit), "quiet")


def dotted(*parts: str | StyledText | Line) -> Line:
    """Return the parts on one line with dots between them; empty ones are left out."""
    found = [line(part) for part in parts if part and line(part)]
    return line(*(piece for part in found for piece in (f" {DOT} ", part)))[1:]


def notes(texts: Sequence[str], mark: StyledText = BULLET) -> tuple[Item, ...]:
    """Return sentences as items."""
    return tuple(Item(line(cut(text, 600)), mark) for text in texts)


def listed(items: Sequence[Item]) -> tuple[Items, ...]:
    """Return a list of the items; nothing where there are none."""
    return (Items(tuple(items)),) if items else ()


def first(items: Sequence[Item], most: int | None, total: int | None = None, noun: str = "other") -> Items:
    """Return the first `most` items, all where it is None, and how many others there are of `total`."""
    shown = tuple(items[:most])
    left = (len(items) if total is None else total) - len(shown)
    more = (Item(line(quiet(f"and {count(left, noun)}"))),) if left > 0 else ()
    return Items((*shown, *more))


def section(title: str | StyledText, *blocks: Block, remark: str = "") -> tuple[Section, ...]:
    """Return a section without empty lists and tables; nothing where its body is empty."""
    held = tuple(block for block in blocks if not _is_empty(block))
    return (Section(title, held, remark),) if held else ()


def _is_empty(block: Block) -> bool:
    return not (block.items if isinstance(block, Items) else block.rows if isinstance(block, Table) else True)
