"""Abstention: whether an answer declines, decided by rules for English, without a model.

An answer declines where a clause of it says that the answer is not known or not given, and every other clause only
apologises, offers help or points elsewhere. Any other clause is an answer, in part at least.
"""

import re
from dataclasses import dataclass

from ragstone.judges.local.refusals import is_refusal
from ragstone.judges.local.statements import statements

_NON_ANSWER = re.compile(
    r"\b(?:sorry|apologi[sz]e|unfortunately|please|let me know|feel free|contact|consult|check|refer to|ask)\b"
    r"|\b(?:you|i) (?:may|might|could|can|would)\b|\?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Whether an answer declines.

    Attributes:
        declined: it says that it gives no answer, and nothing else.
        reason: the clause that decides.
    """

    declined: bool
    reason: str


def abstention(answer: str) -> Refusal:
    """Return whether an answer declines."""
    clauses = [statement.text for statement in statements(answer)]
    refusals = [clause for clause in clauses if is_refusal(clause)]
    content = [clause for clause in clauses if clause not in refusals and not _NON_ANSWER.search(clause)]
    if refusals and not content:
        return Refusal(declined=True, reason=f"it says: {refusals[0]}")
    return Refusal(declined=False, reason=f"it says: {(content or clauses or ['nothing'])[0]}")


def is_abstention(answer: str) -> bool:
    """Return whether an answer declines, without the reason: an answer without a refusal is not cut into clauses."""
    return is_refusal(answer) and abstention(answer).declined
