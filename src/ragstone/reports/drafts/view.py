"""View model of a drafted test set for all renderings: a few sentences, then tables whose rows show a share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragstone.drafts.candidate import KINDS
from ragstone.drafts.checks.outcome import CHECKS, RULES
from ragstone.drafts.coverage import FIRST, CoverageLine, DraftCoverage
from ragstone.drafts.figures import DraftFigures
from ragstone.drafts.yields import YieldTable
from ragstone.reports.numbers import count, dollars, percent
from ragstone.stats.interval import rate_interval

MOST_ROWS = 500


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A row of a table.

    Attributes:
        name: what it counts.
        counts: its numbers, as they are shown.
        share: its last number as a share of a whole, from 0 to 1; None if there is no whole.
    """

    name: str
    counts: tuple[str, ...]
    share: float | None = None

    @property
    def tenths(self) -> int:
        """The share in tenths, at least 1 if the share is above 0. Style sheets have a rule for each value."""
        return max(round(10 * self.share), 1) if self.share else 0


@dataclass(frozen=True, slots=True)
class DraftTable:
    """A table.

    Attributes:
        title: its heading.
        columns: the names of its columns.
        rows: its rows, at most 500.
        note: a sentence below it; empty where there is none.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[DraftRow, ...]
    note: str = ""


def head(figures: DraftFigures, digest: str) -> tuple[str, ...]:
    """Return size, digests and writer of a set, each in a few words.

    Args:
        figures: the figures of the draft.
        digest: digest of the test set; see `hash_test_set`.
    """
    return (
        f"{figures.size:,} of {figures.yields.asked:,} questions",
        f"written by {figures.written_by}",
        f"test set {digest}",
        f"corpus {figures.corpus}",
    )


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


def tables(figures: DraftFigures) -> tuple[DraftTable, ...]:
    """Return topics, difficulty, kinds, checks and documents; topics and documents with the fewest questions first."""
    coverage = figures.coverage
    return (
        _coverage_table("Topics", "topic", coverage.topics),
        _rank_table(coverage),
        _kind_table(figures.yields),
        _check_table(figures.yields),
        _coverage_table("Documents", "document", coverage.documents),
    )


def _coverage_table(title: str, name: str, lines: Sequence[CoverageLine]) -> DraftTable:
    ordered = sorted(lines, key=lambda line: (line.questions, -line.passages, line.name))
    rows = tuple(
        DraftRow(
            line.name,
            (f"{line.questions:,}", f"{line.near:,} of {line.passages:,}"),
            line.near / line.passages,
        )
        for line in ordered[:MOST_ROWS]
    )
    remaining = len(ordered) - len(rows)
    note = f"and {count(remaining, 'other')} with at least as many questions" if remaining else ""
    return DraftTable(title, (name, "questions", "passages near a question"), rows, note)


def _rank_table(coverage: DraftCoverage) -> DraftTable:
    n = max(sum(coverage.bm25_ranks.values()), 1)
    rows = tuple(DraftRow(name, (f"{number:,}",), number / n) for name, number in coverage.bm25_ranks.items())
    return DraftTable("Difficulty", ("best rank of a relevant passage under BM25", "questions"), rows)


def _kind_table(yields: YieldTable) -> DraftTable:
    rows = tuple(
        DraftRow(
            kind,
            tuple(
                f"{counts[kind]:,}"
                for counts in (yields.candidates, yields.tried, yields.unwritten, yields.kept)
            ),
        )
        for kind in KINDS
        if yields.candidates[kind]
    )
    return DraftTable("Kinds", ("kind", "candidates", "tried", "not written", "kept"), rows)


def _check_table(yields: YieldTable) -> DraftTable:
    rows = tuple(
        DraftRow(check, (f"{yields.rejected[check]:,}", f"{yields.unchecked[check]:,}")) for check in CHECKS
    )
    duplicates = DraftRow("duplicate", (f"{yields.duplicates:,}", ""))
    note = "A candidate counts at each check that it failed. ?: the check could not be run."
    return DraftTable("Checks", ("check", "rejected", "kept without it (?)"), (*rows, duplicates), note)
