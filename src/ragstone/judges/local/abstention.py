"""Abstention: whether an answer declines, decided by rules for English, without a model.

An answer declines where a clause of it says that the answer is not known or not given, and every other clause only
apologises, offers help or points elsewhere. Any other clause is an answer, in part at least.
"""

import re
from dataclasses import dataclass

from ragstone.judges.local.statements import statements

_SOURCES = (
    r"(?:passages?|contexts?|documents?|documentation|sources?|texts?|articles?|excerpts?|materials?|information"
    r"|snippets?|knowledge base|search results?|records?|data)"
)
_NEGATED_AUXILIARIES = (
    r"(?:(?:do|does|did|could|is|are|was|were|will|would|have|has)(?: not|n['\u2019]t)"
    r"|cannot|can not|can['\u2019]t)"
)
_INABILITY = r"(?:am not|['\u2019]m not|am unable|['\u2019]m unable|are unable|won['\u2019]t)"
_ANSWER_WORDS = (
    r"(?:know|sure|certain|answer|say|tell|find|found|help|determine|provide|see|able|aware|comment|assist|information"
    r"|details?|data|to)"
)
_STATING_VERBS = (
    r"(?:say|mention|contain|provide|state|specify|include|give|cover|tell|answer|address|indicate|list|describe"
    r"|enough)"
)
_STATED = r"(?:mentioned|stated|given|specified|provided|disclosed|covered|available|known|answerable)"
_LACK = r"(?:no|not enough|insufficient|lack(?:s|ing)?)"
_REFUSAL = re.compile(
    rf"\b(?:i|we)[^.;]{{0,20}}?(?:{_NEGATED_AUXILIARIES}|{_INABILITY})\b[^.;]{{0,25}}?\b{_ANSWER_WORDS}\b"
    rf"|\b{_SOURCES}\b[^.;]{{0,40}}?{_NEGATED_AUXILIARIES}\b[^.;]{{0,12}}?\b{_STATING_VERBS}"
    rf"|\b{_SOURCES}\b[^.;]{{0,25}}?\b(?:is|are) silent\b"
    rf"|\b(?:not|never) (?:been )?{_STATED}\b"
    r"|\b(?:cannot|can['\u2019]t|can not|could not) be (?:answered|determined|found|established|said)\b"
    rf"|\b{_LACK} (?:\w+ ){{0,2}}?(?:information|mention|answer|data|details?|evidence)\b"
    r"|\b(?:unanswerable|unknown|n/a)\b",
    re.IGNORECASE,
)
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
    refusals = [clause for clause in clauses if _REFUSAL.search(clause)]
    content = [clause for clause in clauses if clause not in refusals and not _NON_ANSWER.search(clause)]
    if refusals and not content:
        return Refusal(declined=True, reason=f"it says: {refusals[0]}")
    return Refusal(declined=False, reason=f"it says: {(content or clauses or ['nothing'])[0]}")
