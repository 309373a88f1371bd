"""Draft a test set from documents: read, index, plan, write questions, check them and keep those that pass."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from os import PathLike
from pathlib import Path

from ragstone.atomic import atomic_write
from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.drafts.candidate import KINDS, DraftSlot, QuestionKind
from ragstone.drafts.checks.outcome import RULES
from ragstone.drafts.checks.run_checks import run_checks
from ragstone.drafts.collect import QuestionCollector
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.coverage import DraftCoverage, measure_coverage
from ragstone.drafts.figures import DraftFigures, YieldTable, figures_path
from ragstone.drafts.journal import DraftJournal
from ragstone.drafts.judged.asker import DraftAsker, DraftOptions
from ragstone.drafts.judged.checks import DraftJudge
from ragstone.drafts.judged.source import QuestionWriter, judge_slots
from ragstone.drafts.plan import draw_withheld
from ragstone.drafts.questions import RULE_KINDS, rule_slots
from ragstone.drafts.reading.documents import Documents, read_documents
from ragstone.drafts.record import DraftOrigin, make_cases, write_rows
from ragstone.errors import BadOption, UnknownName
from ragstone.judges import get_judge
from ragstone.judges.base import Judge, JudgeLike

MOST_TRIED_BY_RULES = 20
MOST_TRIED_BY_JUDGE = 3
"""Most candidates to try for each question that is requested."""


@dataclass(frozen=True)
class DraftSet:
    """A drafted test set.

    Attributes:
        cases: the test cases, in the order of the corpus.
        yields: counts of candidates tried, rejected and kept.
        coverage: the coverage of the corpus.
        withheld: documents to leave out of the index: the set has questions that only they answer.
        corpus: hash of the passages, 16 hexadecimal digits.
        written_by: `rules`, or the name of the judge that wrote the questions.
    """

    cases: tuple[TestCase, ...]
    yields: YieldTable
    coverage: DraftCoverage
    withheld: tuple[str, ...]
    corpus: str
    written_by: str

    @property
    def figures(self) -> DraftFigures:
        """Yields and coverage for reports."""
        return DraftFigures(self.written_by, self.corpus, self.yields, self.coverage)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the test cases as JSON lines; each file is replaced atomically.

        Also writes the figures (`draft.figures.json`) and, if any, the documents to leave out (`draft.holdout.txt`).
        """
        target = Path(path)
        texts = {target: write_rows(self.cases), figures_path(target): self.figures.to_json()}
        if self.withheld:
            texts[target.with_suffix(".holdout.txt")] = "".join(f"{name}\n" for name in self.withheld)
        for file, text in texts.items():
            with atomic_write(file) as opened:
                opened.write(text.encode())


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """Options of a draft.

    Attributes:
        size: number of questions.
        seed: seed of the sampling.
        kinds: the kinds of questions.
        holdout: share of the documents to leave out of the index.
    """

    size: int = 200
    seed: int = 0
    kinds: tuple[QuestionKind, ...] = KINDS
    holdout: float = 0.0

    def __post_init__(self) -> None:
        if self.size < 1:
            raise BadOption(f"size={self.size} requests no questions: give 1 or more.")
        if not 0 <= self.holdout < 1:
            raise BadOption(
                f"holdout={self.holdout} is not a share of the documents: give a number from 0 to below 1."
            )
        for kind in self.kinds:
            if kind not in KINDS:
                raise UnknownName("kind of question", kind, KINDS)


def draft(
    documents: Documents,
    *,
    size: int = 200,
    judge: str | JudgeLike | None = None,
    seed: int = 0,
    kinds: Sequence[QuestionKind] = KINDS,
    holdout: float = 0.0,
    journal: str | PathLike[str] | None = None,
    options: DraftOptions | None = None,
) -> DraftSet:
    """Return a test set about documents. Equal documents, options, seed and judge answers give an equal set.

    Args:
        documents: files, folders, or passages with the ids of the index under test.
        size: number of questions; the set has fewer if the documents or the budget do not suffice.
        judge: the language model that writes and checks questions, or its spec; None to write them by rules.
        seed: seed of the sampling.
        kinds: the kinds of questions.
        holdout: share of the documents to leave out of the index; questions about them become unanswerable.
        journal: a file that stores the judge's answers, so that a killed draft can be resumed.
        options: rate limits, budget and pace of the judge.

    Raises:
        BadDataset: the documents cannot be read, or there are none.
        BadOption: an option is invalid, or the journal belongs to another draft.
        AccessRefused: the judge's server refuses the key.
    """
    request = DraftRequest(size, seed, tuple(kinds), holdout)
    return run_blocking(partial(adraft, documents, request, judge, journal=journal, options=options))


async def adraft(
    documents: Documents,
    request: DraftRequest = DraftRequest(),
    judge: str | JudgeLike | None = None,
    *,
    journal: str | PathLike[str] | None = None,
    options: DraftOptions | None = None,
) -> DraftSet:
    """Return a test set about documents; see `draft`."""
    writer = None if judge is None else writing_judge(judge)
    index = CorpusIndex(read_documents(documents), request.seed)
    open_journal = DraftJournal(Path(journal)) if journal is not None else None
    opened = writer and DraftAsker(writer, open_journal).opened(options or DraftOptions())
    async with opened or nullcontext() as asker:
        if open_journal:
            open_journal.reach("passages", index.digest, len(index.passages))
            open_journal.reach("plan", _request_digest(request, writer), request.size)
        result = await draft_questions(index, request, asker)
    if open_journal and not result.yields.stopped:
        open_journal.reach("questions", "done", len(result.cases))
    return result


async def draft_questions(
    index: CorpusIndex, request: DraftRequest, asker: DraftAsker | None, *, keep_all: bool = False
) -> DraftSet:
    """Return a test set on an indexed corpus, written by rules where `asker` is None; `keep_all` is for estimates."""
    documents, seed = draw_withheld(index, request.holdout, request.seed), request.seed
    withheld = frozenset(i for i, passage in enumerate(index.passages) if passage.document in documents)
    if asker is None:
        kinds, most_tried = _rule_kinds(request.kinds), MOST_TRIED_BY_RULES
        slots, write, judge = rule_slots(index, seed, withheld), _no_writer, None
    else:
        kinds, most_tried = request.kinds, MOST_TRIED_BY_JUDGE
        slots, write = judge_slots(index, seed, withheld), QuestionWriter(asker, index).write
        judge = DraftJudge(asker, index, withheld)
    check = partial(run_checks, index=index, withheld=withheld, judge=judge, thorough=keep_all)
    collector = QuestionCollector(slots, write, check, keep_all=keep_all)
    yields = await collector.collect(request.size, most_tried * request.size, kinds)
    kept = sorted(collector.kept, key=lambda one: (one.candidate.passages[0], one.candidate.key))
    origin = DraftOrigin("", seed, {})
    if asker is not None:
        yields = replace(yields, calls=asker.usage.calls, cost=asker.cost)
        origin = DraftOrigin(asker.judge.name, seed, dict(sorted(asker.prompts.items())))
    cases, coverage = make_cases(kept, index, origin), measure_coverage(kept, index)
    return DraftSet(cases, yields, coverage, tuple(sorted(documents)), index.digest, origin.judge or RULES)


async def _no_writer(slot: DraftSlot) -> None:
    raise AssertionError(slot)  # the rules give candidates alone


def _rule_kinds(kinds: tuple[QuestionKind, ...]) -> tuple[QuestionKind, ...]:
    """Return the kinds that rules write, of all kinds."""
    missing = [kind for kind in kinds if kind not in RULE_KINDS]
    if missing and kinds != KINDS:
        raise BadOption(
            f"Rules do not write questions of the kind {', '.join(missing)}: give a language model (--judge), or "
            f"choose from {', '.join(RULE_KINDS)}."
        )
    return tuple(kind for kind in kinds if kind in RULE_KINDS)


def writing_judge(judge: str | JudgeLike) -> Judge:
    """Return the judge that writes the questions.

    Raises:
        BadOption: it is the embedded judge, which cannot write questions.
    """
    writer = get_judge(judge)
    if writer.name == "local":
        raise BadOption(
            "The embedded judge cannot write questions: give a language model, or let rules write them (--no-llm)."
        )
    return writer


def _request_digest(request: DraftRequest, judge: Judge | None) -> str:
    text = json.dumps(
        [request.size, request.seed, request.kinds, request.holdout, judge.name if judge else "rules"]
    )
    return blake2b(text.encode(), digest_size=8).hexdigest()
