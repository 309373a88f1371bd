"""Statements: a text cut into clauses that can be judged one by one.

Sentences are cut first; then semicolons, and conjunctions that open a clause with a subject and a verb of its
own. List and heading markers are left out; a fenced block of code stays whole. Words are never changed, so
each statement is a span of the text, and a pronoun stays a pronoun.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, takewhile

from ragstone.text.lexicon import GREETINGS, SUBJECTS, VERBS
from ragstone.text.sentences import sentences, strip
from ragstone.text.tokens import WordToken, first_tokens, tokens

_CODE_FENCE = re.compile(r"^(```|~~~)[^\n]*\n.*?(?:^\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_LIST_MARKER = re.compile(r"(?:[-*•‣◦\u2013>#]+|\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|\[[ xX]?\])(?=\s)\s+")
_YES_OR_NO = "yes|no|yep|nope"
_LEADING_REPLY = re.compile(rf"(?:{_YES_OR_NO})\s*[.:;!\u2013\u2014]+\s+(?=[\w`\"'\u201c(])", re.IGNORECASE)
"""A yes or no that answers a question and is followed by a claim: "No: it travels free." denies the question, not the
claim."""
_TRAILING_REPLY = re.compile(rf"\b(?:{_YES_OR_NO})\W++\Z", re.IGNORECASE)
_SENTENCE_ENDS = ("", *".!?:;")
"""Last character of the text before a yes or no that is a sentence of its own; empty at the start of the text."""
_COORDINATING = "and|but|so|whereas|yet|y|und|et|pero|aber|mais"
_SUBORDINATING = "while|although|though"
"""Without a comma before it, such a conjunction opens a condition within the clause and does not end the clause."""
_CLAUSE_BOUNDARY = re.compile(
    rf"(?:(?<!\s)\s++)?+;\s++|(?:,|(?<!\s))\s++(?=(?:{_COORDINATING})\s)|,\s++(?=(?:{_SUBORDINATING})\s)",
    re.IGNORECASE,
)
"""Possessive quantifiers, tried only at the start of a run of blanks: linear in the number of blanks."""
_CONJUNCTION = re.compile(rf"(?:{_COORDINATING}|{_SUBORDINATING})\s+", re.IGNORECASE)
_RELATIVE_PRONOUNS = frozenset(("which", "who", "whom", "whose", "that"))
"""A verb after one of these is not the verb of the subject before it: "Ann and her brother, who is ill"."""
_ITEM = re.compile(r"(?:^|\n)[ \t]*(?:[-*•‣◦\u2013]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+\Z")
"""The marker of a list item at the end of a text."""
_MAX_MARKER_LENGTH = 80
"""Characters before a statement in which its marker is looked for, so that the work grows with the text alone."""
_OFFER = re.compile(
    r"(?:(?:just |please |do |so )*(?:let me know|feel free|don['\u2019]t hesitate|drop us a line)"
    r"|(?:if (?:you|there|anything)\b.{0,80}?,? )?(?:i|we)(?:['\u2019](?:m|re)| am| are)?"
    r" (?:always )?(?:here to|happy to|glad to|look(?:ing)? forward)"
    r"|if you (?:have|need) any(?:thing)?(?: (?:more|other|further))?|if there is anything else"
    r"|(?:i|we) hope (?:this|that|it)|(?:how )?can i help|(?:thank you|thanks) for"
    r"|(?:kind|best|warm) (?:regards|wishes)"
    r"|have a (?:nice|great|lovely|good)|(?:i['\u2019]m|we['\u2019]re|i am|we are) (?:so |very )?sorry to hear"
    r"|great that you)\b",
    re.IGNORECASE,
)
"""Beginnings of an offer, thanks, a wish or a closing formula."""
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
"""A clause that surely says that the answer is not known or not given, and so claims nothing. Narrower than a refusal:
"It is not available on Sundays" is a claim of an answer, and may also be its refusal."""


_REFERRAL = re.compile(
    r"(?:(?:so|then|for [^,.;\d]{1,60}?),? )?(?:please |do |you (?:should|could|can|may) )+(?:please )?"
    r"(?:ask|contact|consult|call|check with|speak (?:to|with)|talk to|get in touch with)\b[^\d]*\Z",
    re.IGNORECASE,
)
"""A clause that only says whom to ask: beside a refusal it is a part of it, and claims nothing. A number makes a rule
of it: "Please ask the office at least 5 days before"."""
_MIN_TOKENS = 3
_OPENING_TOKENS = 9
"""Number of tokens after a clause boundary that are searched for the subject and the verb of a clause."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause: the original's `[start:end]`; the text of an item of a list begins with its lead-in."""

    text: str
    start: int
    end: int


def statements(text: str) -> tuple[Statement, ...]:
    """Cut a text into statements, in order; a text without a word has none."""
    spans = (clause for span in _block_spans(text) for clause in _clause_spans(text, *span))
    return tuple(Statement(text[start:end], start, end) for start, end in spans)


def claims_with_replies(text: str) -> tuple[Statement, ...]:
    """Cut an answer into its claims, each with the yes or no before it: "No. It travels free." answers a question."""
    results: list[Statement] = []
    position = 0
    for claim in claims(text):
        reply = _TRAILING_REPLY.search(text, position, claim.start)
        is_sentence = reply and text[position : reply.start()].rstrip()[-1:] in _SENTENCE_ENDS
        start = reply.start() if reply and is_sentence else claim.start
        results.append(Statement(text[start : claim.start] + claim.text, start, claim.end))
        position = claim.end
    return tuple(results)


def claims(text: str) -> tuple[Statement, ...]:
    """Cut a text into the statements that can be true or false.

    Questions, greetings, thanks, offers, refusals (with whom to ask instead) and lead-ins are left out. An item of a
    list that is no sentence is read with its lead-in: "The plan includes:" and "10 GB storage" are one claim, whose
    offsets are those of the item.
    """
    results: list[Statement] = []
    lead_in = ""
    found = statements(text)
    refuses = any(map(_DECLINES.search, (statement.text for statement in found)))
    for statement in found:
        before = max(0, statement.start - _MAX_MARKER_LENGTH)
        is_item = _ITEM.search(text, before, statement.start) is not None
        if statement.text.endswith(":"):
            lead_in = statement.text.rstrip(": ")
        elif not _claims_nothing(statement.text) and not (refuses and _REFERRAL.match(statement.text)):
            is_sentence = any(map(_is_verb, chain.from_iterable(tokens(statement.text))))
            text_read = (
                f"{lead_in} {statement.text}" if is_item and lead_in and not is_sentence else statement.text
            )
            results.append(replace(statement, text=text_read))
        if not is_item and not statement.text.endswith(":"):
            lead_in = ""
    return tuple(results)


def _block_spans(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for match in _CODE_FENCE.finditer(text):
        yield from _sentence_spans(text, position, match.start())
        if span := strip(text, match.start(), match.end()):
            yield span
        position = match.end()
    yield from _sentence_spans(text, position, len(text))


def _sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for left, right in sentences(text[start:end]):
        marker = _LIST_MARKER.match(text, start + left, start + right)
        begin = marker.end() if marker else start + left
        reply = _LEADING_REPLY.match(text, begin, end)
        begin = reply.end() if reply else begin
        if any(c.isalnum() for c in text[begin : start + right]):
            yield begin, start + right


def _clause_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if text.startswith(("```", "~~~"), start):
        yield start, end
        return
    begin = offset = start
    token_count, has_verb = 0, False
    for boundary in _CLAUSE_BOUNDARY.finditer(text, start, end):
        for token in chain.from_iterable(tokens(text, [(offset, boundary.start())])):  # each token once
            token_count, has_verb = token_count + 1, has_verb or _is_verb(token)
        offset = boundary.start()
        is_clause = token_count >= _MIN_TOKENS and has_verb
        if is_clause and _opens_clause(text, boundary.end(), end, semicolon=";" in boundary.group()):
            yield begin, boundary.start()
            conjunction = _CONJUNCTION.match(text, boundary.end(), end)
            begin = offset = conjunction.end() if conjunction else boundary.end()
            token_count, has_verb = 0, False
    yield begin, end


def _is_verb(token: WordToken) -> bool:
    return token.norm in VERBS or token.norm.endswith("ed")


def _opens_clause(text: str, start: int, end: int, *, semicolon: bool) -> bool:
    """Whether the text after a boundary has its own subject and, soon after, its own verb."""
    opening = first_tokens(text, start, end, _OPENING_TOKENS)
    if semicolon:
        return len(opening) >= _MIN_TOKENS
    if not opening:
        return False
    subject = opening[1:2]
    has_subject = bool(subject) and (subject[0].norm in SUBJECTS or subject[0].is_capitalised)
    rest = takewhile(lambda token: token.norm not in _RELATIVE_PRONOUNS, opening[2:7])
    verbs = (t.norm in VERBS or (t.norm.endswith("ed") and len(t.norm) > _MIN_TOKENS + 1) for t in rest)
    return has_subject and any(verbs)


def is_refusal(clause: str) -> bool:
    """Whether a clause says, in English, that the answer is not known or not given."""
    return _REFUSAL.search(clause) is not None


def _claims_nothing(clause: str) -> bool:
    """Whether a clause claims nothing: a question, a greeting, thanks, an offer, a refusal, or a bare yes or no."""
    if clause.endswith(("?", "\uff1f", "؟")) or _DECLINES.search(clause) or _OFFER.match(clause):
        return True
    words = [token.norm for row in tokens(clause) for token in row]
    if not words or words in (["yes"], ["no"]):
        return True
    return len(words) <= 2 * _MIN_TOKENS and words[0] in GREETINGS - {"please"}
