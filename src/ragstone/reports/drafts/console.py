"""A drafted test set in a terminal: what became of the candidates, and what the set covers."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ragstone.drafts.candidate import KINDS
from ragstone.drafts.checks.outcome import CHECKS
from ragstone.drafts.coverage import CoverageLine, DraftCoverage
from ragstone.drafts.drafting import DraftSet
from ragstone.drafts.yields import YieldTable
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
from ragstone.reports.fingerprint import hash_test_set

_LISTED = 12


def show(found: DraftSet, console: Console) -> None:
    """Print what became of the candidates, and what the set covers."""
    width, glyphs = text_width(console), glyphs_for(console.encoding)
    print_parts(
        console, chain(_head(found, width, glyphs), _yields(found.yields), _coverage(found.coverage, glyphs))
    )


def written_by(found: DraftSet) -> str:
    """Return who wrote the questions: `rules`, or a judge's name."""
    return str(found.cases[0].metadata["draft"]["written_by"]) if found.cases else "nobody"


def _head(found: DraftSet, width: int, glyphs: Glyphs) -> Iterator[RenderableType]:
    dot = f" {glyphs.separator} "
    title = joined("TEST SET  ", styled(hash_test_set(found.cases), STRONG), " ")
    yield joined(title, styled(glyphs.line * max(0, width - title.cell_len), QUIET))
    yield joined(
        f"{len(found.cases):,} of {found.yields.asked:,} questions", dot, "written by ",
        untrusted(written_by(found), glyphs, 60), dot, f"corpus {found.corpus}\n",
    )  # fmt: skip


def _yields(found: YieldTable) -> Iterator[RenderableType]:
    table = _table("kind", "candidates", "tried", "not written", "kept")
    for kind in KINDS:
        if found.candidates[kind]:
            counts = found.candidates[kind], found.tried[kind], found.unwritten[kind], found.kept[kind]
            table.add_row(kind, *(f"{count:,}" for count in counts))
    yield table
    yield ""
    table = _table("check", "rejected", "kept without it (?)")
    for check in CHECKS:
        table.add_row(check, f"{found.rejected[check]:,}", f"{found.unchecked[check]:,}")
    table.add_row("duplicate", f"{found.duplicates:,}", "")
    yield table
    if found.calls:
        cost = "unknown cost" if found.cost is None else f"${found.cost:.4f}"
        yield Text(f"\n{found.calls:,} calls, {cost}")
    if found.stopped:
        yield Text(f"\nstopped: {found.stopped}")
    yield ""


def _coverage(found: DraftCoverage, glyphs: Glyphs) -> Iterator[RenderableType]:
    yield Text(
        f"covered: {found.covered_documents} of {len(found.documents)} documents, {found.covered_topics} of "
        f"{len(found.topics)} topics; {found.near:.0%} of the passages are near to the evidence of a question"
    )
    if found.bm25_first is not None:
        ranks = ", ".join(f"{name}: {count}" for name, count in found.bm25_ranks.items())
        yield Text(f"rank of the evidence under BM25: {ranks}")
    if found.too_easy:
        yield Text("too easy to tell retrievers apart: BM25 alone ranks nearly every evidence first")
    yield from _lines("topic", found.topics, glyphs)
    yield from _lines("document", found.documents, glyphs)


def _lines(name: str, lines: Sequence[CoverageLine], glyphs: Glyphs) -> Iterator[RenderableType]:
    table = _table(f"\n{name}", "\npassages", "\nquestions")
    ordered = sorted(lines, key=lambda line: (line.questions, -line.passages, line.name))
    for line in ordered[:_LISTED]:
        table.add_row(untrusted(line.name, glyphs, 60), f"{line.passages:,}", f"{line.questions:,}")
    yield table
    if len(ordered) > _LISTED:
        yield styled(f"and {len(ordered) - _LISTED} more with at least as many questions", QUIET)


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table
