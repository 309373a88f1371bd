"""Faithfulness: does the actual output say only what the retrieved passages bear out?

    score = supported claims / all claims; with `penalize_ambiguous_claims=False`, not contradicted claims / all claims

An output that claims nothing has nothing unfaithful and scores 1. Where the retriever found nothing, no claim is
supported, and any claim scores 0. A low score blames the generator: it contradicts its
sources. Source: RAGAS, arXiv:2309.15217, section 3 (the defaults); DeepEval, faithfulness (with `evidence="truths"` and
`penalize_ambiguous_claims=False`); llm4s (claims are verified in batches).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.metrics.shared.claims import judge_claims
from ragstone.prompts import ExtractClaims, ExtractTruths, JudgeClaims, Truths
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict, VerdictValue


class Faithfulness(Metric):
    """Does the actual output say only what the passages bear out? Two judge calls.

    Attributes:
        penalize_ambiguous_claims: a claim that the passages do not mention counts against the score.
        evidence: compare claims with the passages (`context`), or with the `truths` of the passages, which takes one
            call more.
        truths_extraction_limit: maximum number of truths per passage, with `evidence="truths"`; None for all.
        batch_size: maximum number of claims judged in one call.
    """

    needs = ("input", "actual_output", "retrieval_context")
    prompts = (ExtractClaims, ExtractTruths, JudgeClaims)
    output_form = "prose"

    penalize_ambiguous_claims: bool = True
    evidence: Literal["truths", "context"] = "context"
    truths_extraction_limit: int | None = None
    batch_size: int = 20

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        for option in ("truths_extraction_limit", "batch_size"):
            value = getattr(self, option)
            if value is not None and value < 1:
                raise BadOption(f"{self.title}: {option}={value!r}: write 1 or more")
        if self.truths_extraction_limit is not None and self.evidence != "truths":
            raise BadOption(
                f"{self.title}: truths_extraction_limit={self.truths_extraction_limit!r} limits truths, and claims are "
                "compared with the passages: add evidence='truths', or leave it out"
            )

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for claims and truths at the same time, then for a verdict on each claim."""
        passages = case.passages()
        extract = ExtractClaims(input=case.input, text=case.text("actual_output"))
        if not passages:
            return self._unsupported((await ctx.ask(extract)).claims)
        if self.evidence == "context":
            claims, truths = (await ctx.ask(extract)).claims, None
        else:
            ask_truths = ExtractTruths(passages=passages, limit=self.truths_extraction_limit)
            claims_answer, truths_answer = await ctx.ask_both(extract, ask_truths)
            claims, truths = claims_answer.claims, truths_answer
        verdicts = await self._judge(ctx, case, claims, truths) if claims else ()
        return self.score(verdicts, None if truths is None else truths.facts)

    def _unsupported(self, claims: tuple[str, ...]) -> Score:
        """Score claims without any passage: none is supported."""
        verdicts = tuple(Verdict(claim, "idk", "nothing was retrieved") for claim in claims)
        score = self.score(verdicts)
        return replace(score, value=0.0) if verdicts else score

    async def _judge(
        self, ctx: MetricContext, case: TestCase, claims: tuple[str, ...], truths: Truths | None
    ) -> tuple[Verdict, ...]:
        passages = case.passages()
        source = passages if self.truths_extraction_limit is None else ()
        if truths is None:
            return await judge_claims(
                ctx, claims, passages, source=source, batch_size=self.batch_size, question=case.input
            )
        return await judge_claims(
            ctx,
            claims,
            truths.facts,
            source=source,
            passages=[truth.passage for truth in truths.truths],
            batch_size=self.batch_size,
            question=case.input,
        )

    @bounded()
    def score(self, verdicts: Sequence[Verdict], truths: Sequence[str] | None = None) -> Score:
        """Score the verdicts on the claims. Pure."""
        metadata: dict[str, Any] = {"claims": [verdict.statement for verdict in verdicts]}
        if truths is not None:
            metadata["truths"] = list(truths)
        metadata["verdicts"] = verdict_dicts(verdicts)
        if not verdicts:
            return Score(1.0, "The actual output makes no claim, so nothing in it is unfaithful.", metadata)
        words: set[VerdictValue] = {"yes"} if self.penalize_ambiguous_claims else {"yes", "idk"}
        value = share(verdicts, frozenset(words))
        return Score(value, _reason(verdicts), metadata, findings(verdicts))


def _reason(verdicts: Sequence[Verdict]) -> str:
    contradicted = [verdict for verdict in verdicts if verdict.verdict == "no"]
    unknown = [verdict for verdict in verdicts if verdict.verdict == "idk" and verdict.contradiction_unknown]
    unmentioned = [verdict for verdict in verdicts if verdict.verdict == "idk" and verdict not in unknown]
    supported = len(verdicts) - len(contradicted) - len(unmentioned) - len(unknown)
    return (
        f"{supported} of {len(verdicts)} claims are supported."
        + list_examples("Contradicted", contradicted)
        + list_examples("Not mentioned", unmentioned)
        + list_examples("Not supported", unknown)
    )
