"""A judge's card: each measured bias with its interval and its meaning."""

from typing import Any

from ragstone.findings.judge_card import JudgeReport
from ragstone.show.document import Document, Row, Table, TableColumn, cut, dotted, line, listed, notes, strong
from ragstone.show.render.json import plain

_SCHEMA = 1
_COLUMNS = (
    TableColumn(""),
    TableColumn("95 %", style="strong"),
    TableColumn("n", number=True),
    TableColumn("", style="quiet"),
)


def document(found: JudgeReport) -> Document:
    """Return the card as a document."""
    facts = dotted(cut(found.dataset, 60), cut(found.metric, 80), f"asked {found.repeats} times")
    rows = tuple(Row((name, figure, f"{n:,}", meaning)) for name, figure, n, meaning in found.lines())
    title = line(strong(found.card.judge, 60))
    return Document("judge card", title, (facts,), (Table(_COLUMNS, rows), *listed(notes(found.notes))))


def values(found: JudgeReport) -> dict[str, Any]:
    """Return the card as JSON has it: its fields as they are."""
    return {"schema": _SCHEMA, **plain(found)}
