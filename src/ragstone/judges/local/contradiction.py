"""Contradiction: does an answer agree with each context?

    yes   the context supports at least one statement of the answer and contradicts none
    no    the context contradicts a statement
    idk   neither: the context is about something else

A statement that one context supports cannot be contradicted by another: a passage on a related subject would only seem
to contradict it. Judged by word features alone: of an answer made from several contexts, each context holds a part, and
the encoder was trained on whole ones.
"""

from collections.abc import Sequence
from dataclasses import replace

from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import Support, support


def contradiction(answer: str, contexts: Sequence[str]) -> list[Support]:
    """Judge the answer against each context: one verdict per context, in order.

    The verdict's `probability` is that of the statement it rests on; `passage` is the context's own number.
    """
    claim_texts = [claim.text for claim in claims(answer)] or [answer]
    joint_results = support(claim_texts, contexts, by_words=True)
    return [
        _judge_context(claim_texts, joint_results, context, number)
        for number, context in enumerate(contexts, 1)
    ]


def _judge_context(
    claim_texts: Sequence[str], joint_results: Sequence[Support], context: str, number: int
) -> Support:
    context_results = support(claim_texts, [context], by_words=True)
    results = [
        replace(result, verdict="idk") if result.verdict == "no" and joint.verdict == "yes" else result
        for result, joint in zip(context_results, joint_results, strict=True)
    ]
    rank = {"no": 0, "yes": 1, "idk": 2}
    decisive = min(range(len(claim_texts)), key=lambda i: (rank[results[i].verdict], -results[i].probability))
    result = results[decisive]
    reason = f"{result.reason}: {claim_texts[decisive]}" if result.verdict == "no" else result.reason
    return replace(result, passage=number if result.span else None, reason=reason)
