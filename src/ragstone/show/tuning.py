"""The tuning of a judge: its figures, and whether the tuned judge is adopted."""

from ragstone.reports.tuning import TuningReport
from ragstone.show.document import Document, Row, Table, TableColumn, cut, dotted, line, listed, notes, strong

_COLUMNS = (TableColumn("", style="quiet"), TableColumn(""))


def document(found: TuningReport) -> Document:
    """Return the outcome as a document."""
    facts = dotted(line("judge ", strong(found.judge, 60)), cut(found.dataset, 60))
    rows = tuple(Row((name, cut(text, 200))) for name, text in found.lines())
    blocks = (Table(_COLUMNS, rows), *listed(notes(tuple(found.remarks()))))
    return Document("tune", line(strong(found.metric, 60)), (facts,), blocks, found.sentence())
