"""A drafted test set: its sentences, then tables of topics, difficulty, kinds, checks and documents."""

from collections.abc import Iterable, Iterator, Sequence

from ragstone.drafts.candidate import KINDS
from ragstone.drafts.checks.outcome import CHECKS, RULES
from ragstone.drafts.coverage import FIRST, CoverageLine, DraftCoverage
from ragstone.drafts.figures import DraftFigures, YieldTable
from ragstone.findings.numbers import count, dollars, percent
from ragstone.show.document import (
    Document,
    Item,
    Items,
    Section,
    StyledText,
    cut,
    dotted,
    line,
    strong,
    table,
)
from ragstone.stats.interval import rate_interval

MOST_ROWS = 500
Cell = StyledText | str


def document(found: DraftFigures, digest: str, most: int = MOST_ROWS) -> Document:
    """Return the figures of a draft as a document.

    `digest` is that of the test set, see `hash_test_set`; at most `most` topics and documents are listed.
    """
    facts = dotted(
        f"{found.size:,} of {found.yields.asked:,} questions",
        f"written by {cut(found.written_by, 80)}",
        f"corpus {found.corpus}",
    )
    told = Items(tuple(Item(line(text)) for text in sentences(found)))
    return Document("test set", line(strong(digest)), (facts,), (told, *tables(found, most)))


def sentences(figures: DraftFigures) -> Iterator[str]:
    """Yield a sentence each on coverage, difficulty, cost, and the reason for an early stop."""
    cover = figures.coverage
    if figures.written_by == RULES:
        yield (
            "Written by rules: for retriever metrics (hit rate, MRR, nDCG, recall) and abstention. Rules do not ask as "
            "users do; a language model (--judge) also checks the answers."
        )
    yield (
        f"Covered: {cover.covered_documents:,} of {count(len(cover.documents), 'document')} and "
        f"{cover.covered_topics:,} of {count(len(cover.topics), 'topic')} have a question; {percent(cover.near)} of "
        "the passages are near the evidence of a question."
    )
    if cover.bm25_first is not None:
        yield _difficulty(cover)
    if figures.yields.calls:
        yield f"{count(figures.yields.calls, 'call')} of the judge, {dollars(figures.yields.cost)}."
    if figures.yields.stopped:
        yield f"Stopped: {figures.yields.stopped}"


def _difficulty(cover: DraftCoverage) -> str:
    n = sum(cover.bm25_ranks.values())
    first = cover.bm25_ranks[FIRST]
    interval = rate_interval(first, n)
    sentence = (
        f"BM25 alone ranks a relevant passage first for {percent(first / n)} (95 %: {percent(interval.low)} to "
        f"{percent(interval.high)}) of {count(n, 'answerable question')}."
    )
    return f"{sentence} That is too easy to tell retrievers apart." if cover.too_easy else sentence


def tables(figures: DraftFigures, most: int = MOST_ROWS) -> tuple[Section, ...]:
    """Return topics, difficulty, kinds, checks and documents; topics and documents with the fewest questions first."""
    coverage = figures.coverage
    return (
        _coverage("Topics", "topic", coverage.topics, most),
        _ranks(coverage),
        _kinds(figures.yields),
        _checks(figures.yields),
        _coverage("Documents", "document", coverage.documents, most),
    )


def _section(title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]], note: str = "") -> Section:
    cells = ([line(cell) for cell in row] for row in rows)
    return Section(title, (table(columns, cells, numbers=columns[1:], note=note),))


def _coverage(title: str, name: str, lines: Sequence[CoverageLine], most: int) -> Section:
    ordered = sorted(lines, key=lambda line: (line.questions, -line.passages, line.name))
    rows = [
        (
            cut(each.name, 200),
            f"{each.questions:,}",
            StyledText(f"{each.near:,} of {each.passages:,}", "share", each.near / each.passages),
        )
        for each in ordered[:most]
    ]
    left = len(ordered) - len(rows)
    note = f"and {count(left, 'other')} with at least as many questions" if left else ""
    return _section(title, (name, "questions", "passages near a question"), rows, note)


def _ranks(coverage: DraftCoverage) -> Section:
    n = max(sum(coverage.bm25_ranks.values()), 1)
    ranks = coverage.bm25_ranks.items()
    rows = [(name, StyledText(f"{number:,}", "share", number / n)) for name, number in ranks]
    return _section("Difficulty", ("best rank of a relevant passage under BM25", "questions"), rows)


def _kinds(yields: YieldTable) -> Section:
    columns = (yields.candidates, yields.tried, yields.unwritten, yields.kept)
    rows = [(kind, *(f"{counts[kind]:,}" for counts in columns)) for kind in KINDS if yields.candidates[kind]]
    return _section("Kinds", ("kind", "candidates", "tried", "not written", "kept"), rows)


def _checks(yields: YieldTable) -> Section:
    rows = [(check, f"{yields.rejected[check]:,}", f"{yields.unchecked[check]:,}") for check in CHECKS]
    note = "A candidate counts at each check that it failed. ?: the check could not be run."
    columns = ("check", "rejected", "kept without it (?)")
    return _section("Checks", columns, [*rows, ("duplicate", f"{yields.duplicates:,}", "")], note)
