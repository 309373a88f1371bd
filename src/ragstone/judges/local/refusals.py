"""Refusals: clauses that say that the answer is not known or not given, by rules for English."""

import re

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

_DECLINES = re.compile(
    rf"\b(?:i|we)\b[^.;]{{0,15}}?(?:{_NEGATED_AUXILIARIES}|{_INABILITY})\b[^.;]{{0,15}}?"
    r"\b(?:know|sure|certain|answer|find|found|determine|information|aware|details)\b"
    rf"|\b{_SOURCES}\b[^.;]{{0,40}}?{_NEGATED_AUXILIARIES}\b[^.;]{{0,12}}?\b{_STATING_VERBS}"
    rf"|\b{_SOURCES}\b[^.;]{{0,25}}?\b(?:is|are) silent\b"
    r"|\bi (?:\w+ )?(?:cannot|can['\u2019]t|can not) (?:give|tell|say|confirm)\b"
    r"|\bnothing\b[^.;]{0,40}?\b(?:says|states|mentions|tells|explains)\b",
    re.IGNORECASE,
)
"""A narrower pattern: "It is not available on Sundays" is a claim of an answer, and may also be its refusal."""


_REFERRAL = re.compile(
    r"(?:(?:so|then|for [^,.;\d]{1,60}?),? )?(?:please |do |you (?:should|could|can|may) )+(?:please )?"
    r"(?:ask|contact|consult|call|check with|speak (?:to|with)|talk to|get in touch with)\b[^\d]*\Z",
    re.IGNORECASE,
)
"""A number makes a rule of it: "Please ask the office at least 5 days before"."""


def refers_elsewhere(clause: str) -> bool:
    """Whether a clause only says whom to ask: beside a refusal it is a part of it, and claims nothing."""
    return _REFERRAL.match(clause) is not None


def declines(clause: str) -> bool:
    """Whether a clause surely says that the answer is not known or not given, and so claims nothing."""
    return _DECLINES.search(clause) is not None


def is_refusal(clause: str) -> bool:
    """Whether a clause says that the answer is not known or not given."""
    return _REFUSAL.search(clause) is not None
