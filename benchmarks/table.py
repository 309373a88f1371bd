"""A table of figures, each with a reference measured in the same run: on noisy machines ratios are more reliable."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.table import Table

HEADINGS = ("what", "ragstone", "beside it", "ratio", "target", "met")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        what: what was measured.
        ours: ragstone's figure, with its unit.
        beside: the reference, with its figure.
        ratio: ragstone's figure divided by the reference; None without a reference.
        target: the target; empty without one.
        met: whether the target is met; None without one.
    """

    what: str
    ours: str
    beside: str = ""
    ratio: float | None = None
    target: str = ""
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """Return the row as texts, in the order of the headings."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        met = {True: "yes", False: "NO", None: ""}[self.met]
        return self.what, self.ours, self.beside, ratio, self.target, met


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one section, or in `note` why there are none."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""


def markdown(parts: Iterable[Part], caption: str) -> str:
    """Return the table as Markdown."""
    lines = [f"| {' | '.join(HEADINGS)} |", "|---|---|---|---:|---|---|"]
    for part in parts:
        lines.append(f"| **{part.title}** |{' |' * (len(HEADINGS) - 1)}")
        lines += [f"| {' | '.join(row.cells())} |" for row in part.rows]
        if part.note:
            lines.append(f"| *{part.note}* |{' |' * (len(HEADINGS) - 1)}")
    return "\n".join([*lines, "", caption])


def terminal(parts: Iterable[Part], caption: str) -> Table:
    """Return the table for a terminal."""
    table = Table(*HEADINGS, caption=caption, caption_justify="left", title_justify="left")
    table.columns[3].justify = "right"
    for part in parts:
        table.add_section()
        table.add_row(f"[bold]{part.title}[/]")
        for row in part.rows:
            style = "red" if row.met is False else None
            table.add_row(*row.cells(), style=style)
        if part.note:
            table.add_row(f"[dim]{part.note}[/]")
    return table


def milliseconds(seconds: float) -> str:
    """Return a time as readable text."""
    return f"{seconds * 1000:,.2f} ms" if seconds < 0.01 else f"{seconds * 1000:,.0f} ms"
