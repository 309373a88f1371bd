"""The tuning of a judge: its figures, and whether the tuned judge is adopted."""

from typing import Any

from ragstone.findings.tuning import TuningReport
from ragstone.show.document import Document, Row, Table, TableColumn, cut, dotted, line, listed, notes, strong
from ragstone.show.render.json import plain

SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""
_FIELDS = (
    *("judge", "metric", "dataset", "adopted", "chosen", "gain", "folds", "groups", "left_out"),
    *("measurements", "not_measured", "cost", "notes"),
)
_COLUMNS = (TableColumn("", style="quiet"), TableColumn(""))


def document(found: TuningReport) -> Document:
    """Return the outcome as a document."""
    facts = dotted(line("judge ", strong(found.judge, 60)), cut(found.dataset, 60))
    rows = tuple(Row((name, cut(text, 200))) for name, text in found.lines())
    blocks = (Table(_COLUMNS, rows), *listed(notes(tuple(found.remarks()))))
    return Document("tune", line(strong(found.metric, 60)), (facts,), blocks, found.sentence())


def values(found: TuningReport) -> dict[str, Any]:
    """Return the outcome as JSON has it."""
    return {"schema": SCHEMA, "sentence": found.sentence(), **plain(found, *_FIELDS)}
