"""A drafted test set in a terminal: the outcomes of the candidates, and the coverage of the set."""

from collections.abc import Iterator
from itertools import chain

from rich.console import Console, RenderableType
from rich.table import Table

from ragstone.drafts.drafting import DraftSet
from ragstone.drafts.figures import DraftFigures
from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    joined,
    print_parts,
    styled,
    text_width,
    untrusted,
)
from ragstone.reports.drafts.view import DraftTable, head, sentences, tables
from ragstone.reports.fingerprint import hash_test_set
from ragstone.reports.numbers import count

_MAX_ROWS = 12


def show(found: DraftSet, console: Console) -> None:
    """Print the outcomes of the candidates, and the coverage of the set."""
    width, glyphs = text_width(console), glyphs_for(console.encoding)
    topics, ranks, kinds, checks, documents = tables(found.figures)
    parts = [_table(table, glyphs) for table in (kinds, checks, topics, documents, ranks)]
    print_parts(console, chain(_head(found, width, glyphs), *parts, _sentences(found.figures, glyphs)))


def _head(draft: DraftSet, width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    digest = hash_test_set(draft.cases)
    title = joined("TEST SET  ", styled(digest, STRONG), " ")
    yield joined(title, styled(glyphs.line * max(0, width - title.cell_len), QUIET))
    facts = [part for part in head(draft.figures, digest) if not part.startswith("test set")]
    yield untrusted(f" {glyphs.separator} ".join(facts), glyphs, 200)


def _sentences(figures: DraftFigures, glyphs: Glyphs) -> Iterator[RenderableType]:
    yield ""
    for sentence in sentences(figures):
        yield untrusted(sentence, glyphs, 1000)


def _table(view: DraftTable, glyphs: Glyphs) -> Iterator[RenderableType]:
    yield ""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column(view.columns[0])
    for name in view.columns[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in view.rows[:_MAX_ROWS]:
        table.add_row(untrusted(row.name, glyphs, 60), *row.counts)
    yield table
    if len(view.rows) > _MAX_ROWS:
        yield styled(f"and {count(len(view.rows) - _MAX_ROWS, 'other')} (all of them: --report)", QUIET)
