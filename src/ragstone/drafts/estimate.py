"""Estimate of the calls, tokens and cost of a draft with a judge; no request is sent."""

from dataclasses import dataclass

from ragstone.blocking import run_blocking
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.drafting import MOST_TRIED_BY_JUDGE, DraftRequest, draft_questions, writing_judge
from ragstone.drafts.judged.asker import DraftAsker, DraftOptions
from ragstone.drafts.reading.documents import Documents, read_documents
from ragstone.engine.dry_run import DryRunJudge
from ragstone.judges.base import Judge, JudgeLike


@dataclass(frozen=True, slots=True)
class DraftEstimate:
    """Estimate of a draft: lower bounds if every candidate is kept, upper bounds if none is.

    Attributes:
        judge: the judge's name.
        size: number of questions requested.
        passages: number of passages.
        calls: minimum and maximum number of calls.
        tokens: minimum and maximum number of tokens, sent and received.
        cost: minimum and maximum cost in US dollars; None if no price is known.
    """

    judge: str
    size: int
    passages: int
    calls: tuple[int, int]
    tokens: tuple[int, int]
    cost: tuple[float, float] | None

    def __str__(self) -> str:
        cost = "price not known" if self.cost is None else f"${self.cost[0]:.2f} to ${self.cost[1]:.2f}"
        return (
            f"{self.size:,} questions on {self.passages:,} passages by {self.judge}: {self.calls[0]:,} to "
            f"{self.calls[1]:,} calls, {self.tokens[0]:,} to {self.tokens[1]:,} tokens, {cost}. Nothing was sent."
        )


def estimate_draft(
    documents: Documents,
    judge: str | JudgeLike,
    request: DraftRequest = DraftRequest(),  # noqa: B008  (a frozen value)
) -> DraftEstimate:
    """Return the estimate of a draft by a judge.

    Raises:
        BadDataset: the documents cannot be read.
        BadOption: the judge cannot write questions.
    """
    writer = writing_judge(judge)
    index = CorpusIndex(read_documents(documents), request.seed)
    low = run_blocking(_dry_run, index, request, writer, False)
    high = run_blocking(_dry_run, index, request, writer, True)
    calls = high.usage.calls  # the shortest made-up questions are equal, and equal prompts are sent once
    share = calls / max(low.usage.calls, 1)
    priced = low.cost is not None and high.cost is not None
    return DraftEstimate(
        writer.name,
        request.size,
        len(index.passages),
        (calls, MOST_TRIED_BY_JUDGE * calls),
        (round(share * _tokens(low)), MOST_TRIED_BY_JUDGE * _tokens(high)),
        (share * (low.cost or 0.0), MOST_TRIED_BY_JUDGE * (high.cost or 0.0)) if priced else None,
    )


async def _dry_run(index: CorpusIndex, request: DraftRequest, judge: Judge, generous: bool) -> DraftAsker:  # noqa: FBT001
    asker = DraftAsker(DryRunJudge(judge, generous=generous), None)
    async with asker.opened(DraftOptions()):
        await draft_questions(index, request, asker, keep_all=True)
    return asker


def _tokens(asker: DraftAsker) -> int:
    return asker.usage.input_tokens + asker.usage.output_tokens
