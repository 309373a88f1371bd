"""Response models of a drafted test set: progress of its review, its coverage, outcome of its candidates."""

from pydantic import ConfigDict

from ragstone.dashboard.schemas.runs import ApiModel, IntervalOut
from ragstone.drafts.candidate import KINDS
from ragstone.drafts.checks.outcome import CHECKS
from ragstone.drafts.figures import DraftFigures
from ragstone.drafts.review import ReviewSummary
from ragstone.drafts.yields import YieldTable


class ReviewOut(ApiModel):
    """Progress of the review of a drafted set.

    Attributes:
        name: file name of the set.
        test_set: its digest, as `run` prints it.
        total: number of questions.
        reviewed: questions with a decision.
        bad: reviewed questions that were edited or dropped.
        share: bad ones among the reviewed ones; null before the first decision.
        interval: its 95 % interval; null likewise.
    """

    name: str
    test_set: str
    total: int
    reviewed: int
    bad: int
    share: float | None
    interval: IntervalOut | None


class CoveredGroup(ApiModel):
    """A document or a topic.

    Attributes:
        name: the document, or the words of the topic.
        passages: how many passages it has.
        questions: how many questions have evidence in it.
        near: how many of its passages are near to the evidence of a question.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    name: str
    passages: int
    questions: int
    near: int


class KindYield(ApiModel):
    """Outcome of the candidates of one kind.

    Attributes:
        kind: kind of question.
        candidates: how many could have been tried.
        tried: how many were tried.
        unwritten: how many the judge could not write.
        kept: how many are in the set.
    """

    kind: str
    candidates: int
    tried: int
    unwritten: int
    kept: int


class CheckYield(ApiModel):
    """Outcome of one check.

    Attributes:
        check: its name.
        rejected: candidates that it rejected; one counts at each check that it failed.
        unchecked: kept questions for which it could not be run (`?`).
    """

    check: str
    rejected: int
    unchecked: int


class CoverageOut(ApiModel):
    """Coverage of a drafted set, and the outcome of its candidates.

    Attributes:
        name: file name of the set.
        test_set: its digest, as `run` prints it.
        corpus: digest of the passages that the figures are about.
        outdated: whether the figures are those of another draft, or of the set before it was changed.
        written_by: `rules`, or the name of the judge that wrote.
        asked: questions that were requested.
        kept: questions that were kept.
        near: share of the passages that are near to the evidence of a question.
        bm25_ranks: answerable questions by the best rank that BM25 gives a relevant passage.
        bm25_first: share of them with a relevant passage first; null without any.
        too_easy: whether BM25 alone finds nearly everything first.
        documents: the documents.
        topics: the topics.
        kinds: the candidates by kind.
        checks: what each check rejected, and where it could not be run.
        duplicates: candidates that repeat a kept question.
        calls: calls of the judge.
        cost: US dollars; null where a price is not known.
        stopped: why drafting ended early; empty where it did not.
    """

    name: str
    test_set: str
    corpus: str
    outdated: bool
    written_by: str
    asked: int
    kept: int
    near: float
    bm25_ranks: dict[str, int]
    bm25_first: float | None
    too_easy: bool
    documents: list[CoveredGroup]
    topics: list[CoveredGroup]
    kinds: list[KindYield]
    checks: list[CheckYield]
    duplicates: int
    calls: int
    cost: float | None
    stopped: str


def review_out(name: str, test_set: str, summary: ReviewSummary) -> ReviewOut:
    """Return the progress of a review."""
    interval = summary.interval
    return ReviewOut(
        name=name,
        test_set=test_set,
        total=summary.total,
        reviewed=summary.reviewed,
        bad=summary.bad,
        share=summary.bad / summary.reviewed if summary.reviewed else None,
        interval=IntervalOut(low=interval.low, high=interval.high) if interval else None,
    )


def coverage_out(name: str, test_set: str, figures: DraftFigures, *, outdated: bool) -> CoverageOut:
    """Return the figures of a set; `outdated` says whether they are those of another draft."""
    covered, yields = figures.coverage, figures.yields
    return CoverageOut(
        name=name,
        test_set=test_set,
        corpus=figures.corpus,
        outdated=outdated,
        written_by=figures.written_by,
        asked=yields.asked,
        kept=figures.size,
        near=covered.near,
        bm25_ranks=covered.bm25_ranks,
        bm25_first=covered.bm25_first,
        too_easy=covered.too_easy,
        documents=[CoveredGroup.model_validate(line) for line in covered.documents],
        topics=[CoveredGroup.model_validate(line) for line in covered.topics],
        kinds=_kind_yields(yields),
        checks=[
            CheckYield(check=check, rejected=yields.rejected[check], unchecked=yields.unchecked[check])
            for check in CHECKS
        ],
        duplicates=yields.duplicates,
        calls=yields.calls,
        cost=yields.cost,
        stopped=yields.stopped,
    )


def _kind_yields(yields: YieldTable) -> list[KindYield]:
    return [
        KindYield(
            kind=kind,
            candidates=yields.candidates[kind],
            tried=yields.tried[kind],
            unwritten=yields.unwritten[kind],
            kept=yields.kept[kind],
        )
        for kind in KINDS
    ]
