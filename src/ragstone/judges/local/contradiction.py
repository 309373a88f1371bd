"""Contradiction: does an answer agree with each context?

    yes         the context supports a statement of the answer, and no statement rests on it that is contradicted
    no          the context contradicts a statement
    idk         neither: the context is about something else
    undecided   it cannot be told whether the context contradicts a statement

Each statement is judged by all contexts together, as Faithfulness judges it, and its verdict counts for the context on
which it rests: the two metrics never contradict each other on one sentence.
"""

from collections.abc import Sequence
from dataclasses import replace

from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import Support, support

_RANK = {"no": 0, "undecided": 1, "yes": 2, "idk": 3}
"""Order of the verdicts on the statements that rest on one context; the first one decides."""
_PERHAPS_CONTRADICTED = "not supported, and the judge cannot tell whether it is contradicted"
_ELSEWHERE = Support("idk", 0.0, None, None, "no statement of the answer rests on it")


def contradiction(answer: str, contexts: Sequence[str]) -> list[Support]:
    """Judge the answer against each context: one verdict per context, in order.

    The verdict's `probability` is that of the statement it rests on; `passage` is the context's own number.
    """
    texts = [claim.text for claim in claims(answer)] or [answer]
    results = [
        replace(result, verdict="undecided", reason=_PERHAPS_CONTRADICTED)
        if result.contradiction_unknown
        else result
        for result in support(texts, contexts)
    ]
    unread = all(result.verdict == "undecided" and result.passage is None for result in results)
    return [
        results[0] if unread else _judge_context(texts, results, number)
        for number in range(1, len(contexts) + 1)
    ]


def _judge_context(texts: Sequence[str], results: Sequence[Support], number: int) -> Support:
    """Return the verdict on one context: that of the first in rank of the statements that rest on it."""
    own = [
        (text, result)
        for text, result in zip(texts, results, strict=True)
        if result.passage == number or result.contradiction_unknown
    ]
    if not own:
        return _ELSEWHERE
    text, result = min(own, key=lambda pair: (_RANK[pair[1].verdict], -pair[1].probability))
    return result if result.verdict == "yes" else replace(result, reason=f"{result.reason}: {text}")
