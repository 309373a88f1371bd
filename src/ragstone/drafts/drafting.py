"""From documents to a test set: read, index, plan, write, check, keep."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.drafts.candidate import KINDS, QuestionKind
from ragstone.drafts.collect import QuestionCollector
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.coverage import DraftCoverage, measure_coverage
from ragstone.drafts.plan import draw_withheld
from ragstone.drafts.reading.documents import Documents, read_documents
from ragstone.drafts.record import DraftOrigin, make_cases, write_rows
from ragstone.drafts.sources import RuleSource
from ragstone.drafts.yields import YieldTable
from ragstone.errors import BadOption, UnknownName

MOST_TRIED = 20
"""Candidates by rules that are tried for each question that is wanted."""


@dataclass(frozen=True)
class DraftSet:
    """A drafted test set.

    Attributes:
        cases: the test cases, in the order of the corpus.
        yields: what became of the candidates.
        coverage: what the set covers.
        withheld: documents to leave out of the index: the set has questions that they alone answer.
        corpus: 16 hexadecimal digits for the passages.
    """

    cases: tuple[TestCase, ...]
    yields: YieldTable
    coverage: DraftCoverage
    withheld: tuple[str, ...]
    corpus: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the test cases as JSON lines, whole or not at all; beside them, the documents to leave out, if any."""
        target = Path(path)
        _replace(target, write_rows(self.cases))
        if self.withheld:
            _replace(target.with_suffix(".holdout.txt"), "".join(f"{name}\n" for name in self.withheld))


def draft(
    documents: Documents,
    *,
    size: int = 200,
    seed: int = 0,
    kinds: Sequence[QuestionKind] = KINDS,
    holdout: float = 0.0,
) -> DraftSet:
    """Return a test set about documents. The same documents, options and seed give the same set.

    Args:
        documents: files, folders, or passages with the ids of the index under test.
        size: how many questions are wanted; fewer where the documents do not give more.
        seed: decides what is sampled.
        kinds: the kinds of questions wanted.
        holdout: share of the documents to leave out of the index, whose questions become unanswerable.

    Raises:
        BadDataset: the documents cannot be read, or there are none.
        BadOption: an option makes no sense.
    """
    return run_blocking(lambda: adraft(documents, size=size, seed=seed, kinds=kinds, holdout=holdout))


async def adraft(
    documents: Documents,
    *,
    size: int = 200,
    seed: int = 0,
    kinds: Sequence[QuestionKind] = KINDS,
    holdout: float = 0.0,
) -> DraftSet:
    """Return a test set about documents; see `draft`."""
    _check_options(size, kinds, holdout)
    index = CorpusIndex(read_documents(documents), seed)
    left_out = draw_withheld(index, holdout, seed)
    withheld = frozenset(place for place, one in enumerate(index.passages) if one.document in left_out)
    source = RuleSource(index, seed, withheld)
    collector = QuestionCollector(source, index, withheld, None, most_tried=MOST_TRIED * size)
    yields = await collector.collect(size, kinds, seed)
    kept = sorted(collector.kept, key=lambda one: (one.candidate.passages[0], one.candidate.key))
    cases = make_cases(kept, index, DraftOrigin("rules", seed, {}))
    return DraftSet(cases, yields, measure_coverage(kept, index), tuple(sorted(left_out)), index.digest)


def _check_options(size: int, kinds: Sequence[QuestionKind], holdout: float) -> None:
    if size < 1:
        raise BadOption(f"size={size} asks for no question: write 1 or more.")
    if not 0 <= holdout < 1:
        raise BadOption(f"holdout={holdout} is no share of the documents: write a number from 0 to below 1.")
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownName("kind of question", kind, KINDS)
    if not set(kinds) - {"rough"}:
        raise BadOption("Rough questions are made from others: name another kind too.")


def _replace(target: Path, text: str) -> None:
    part = target.with_name(f"{target.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(target)
