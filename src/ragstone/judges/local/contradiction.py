"""Contradiction: does an answer agree with each context?

    yes   the context supports at least one statement of the answer and speaks against none
    no    the context speaks against a statement
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
    parts = [claim.text for claim in claims(answer)] or [answer]
    together = support(parts, contexts, by_words=True)
    return [_agree(parts, together, context, number) for number, context in enumerate(contexts, 1)]


def _agree(parts: Sequence[str], together: Sequence[Support], context: str, number: int) -> Support:
    alone = support(parts, [context], by_words=True)
    verdicts = [
        replace(one, verdict="idk") if one.verdict == "no" and whole.verdict == "yes" else one
        for one, whole in zip(alone, together, strict=True)
    ]
    rank = {"no": 0, "yes": 1, "idk": 2}
    first = min(range(len(parts)), key=lambda i: (rank[verdicts[i].verdict], -verdicts[i].probability))
    found = verdicts[first]
    reason = f"{found.reason}: {parts[first]}" if found.verdict == "no" else found.reason
    return replace(found, passage=number if found.span else None, reason=reason)
