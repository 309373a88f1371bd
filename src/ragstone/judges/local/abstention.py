"""Abstention: whether an answer declines, decided by rules for English, without a model.

An answer declines where a clause of it says that the answer is not known or not given, and every other clause only
apologises, offers help or points elsewhere. Any other clause is an answer, in part at least.
"""

import re

from ragstone.judges.local.statements import is_refusal, statements

_NON_ANSWER = re.compile(
    r"\b(?:sorry|apologi[sz]e|unfortunately|please|let me know|feel free|contact|consult|check|refer to|ask)\b"
    r"|\b(?:you|i) (?:may|might|could|can|would)\b|\?\s*$",
    re.IGNORECASE,
)


def abstention(answer: str) -> tuple[bool, str]:
    """Return whether an answer declines, that is, says that it gives no answer and nothing else; and why."""
    clauses = [statement.text for statement in statements(answer)]
    refusals = [clause for clause in clauses if is_refusal(clause)]
    content = [clause for clause in clauses if clause not in refusals and not _NON_ANSWER.search(clause)]
    declined = bool(refusals) and not content
    return declined, f"it says: {(refusals if declined else content or clauses or ['nothing'])[0]}"


def is_abstention(answer: str) -> bool:
    """Return whether an answer declines, without the reason: an answer without a refusal is not cut into clauses."""
    return is_refusal(answer) and abstention(answer)[0]
