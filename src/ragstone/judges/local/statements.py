"""Statements: a text cut into clauses that can be judged one by one.

Sentences are cut first; then semicolons, and conjunctions that open a clause with a subject and a verb of its
own. List markers and headings' signs are left out, a fenced block of code stays whole. Words are never
changed, so each statement is a span of the text; a pronoun therefore stays a pronoun.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, takewhile

from ragstone.judges.local.text.lexicon import GREETINGS, SUBJECTS, VERBS
from ragstone.judges.local.text.tokens import WordToken, first_tokens, tokens
from ragstone.sentences import sentences, strip

_FENCE = re.compile(r"^(```|~~~)[^\n]*\n.*?(?:^\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"(?:[-*•‣◦\u2013>#]+|\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|\[[ xX]?\])(?=\s)\s+")
_YES_OR_NO = "yes|no|yep|nope"
_PARTICLE = re.compile(rf"(?:{_YES_OR_NO})\s*[.:;!\u2013\u2014]+\s+(?=[\w`\"'\u201c(])", re.IGNORECASE)
"""The word that answers a question and is followed by what it stands for: "No: it travels free." denies the question,
not what follows."""
_REPLY = re.compile(rf"\b(?:{_YES_OR_NO})\W++\Z", re.IGNORECASE)
_ENDS = ("", *".!?:;")
"""Last character of the text before a word that is a sentence of its own; empty at the start."""
_COORDINATING = "and|but|so|whereas|yet|y|und|et|pero|aber|mais"
_SUBORDINATING = "while|although|though"
"""Without a comma they open a condition of the clause before them and do not end it."""
_JOINT = re.compile(
    rf"(?:(?<!\s)\s++)?+;\s++|(?:,|(?<!\s))\s++(?=(?:{_COORDINATING})\s)|,\s++(?=(?:{_SUBORDINATING})\s)",
    re.IGNORECASE,
)
"""Possessive quantifiers, tried only at the start of a run of blanks: linear in the number of blanks."""
_CONJUNCTION = re.compile(rf"(?:{_COORDINATING}|{_SUBORDINATING})\s+", re.IGNORECASE)
_RELATIVE = frozenset(("which", "who", "whom", "whose", "that"))
"""A verb behind one of these is not the verb of the subject before it: "Ann and her brother, who is ill"."""
_SHORTEST = 3
_OPENING = 9
"""Number of tokens after a joint that are searched for the subject and the verb of a clause."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause: `text` is the original's `[start:end]`.

    Attributes:
        text: the clause.
        start: where it begins.
        end: where it ends.
    """

    text: str
    start: int
    end: int


def statements(text: str) -> tuple[Statement, ...]:
    """Cut a text into statements, in their order; a text without a word has none."""
    spans = (clause for span in _blocks(text) for clause in _clauses(text, *span))
    return tuple(Statement(text[start:end], start, end) for start, end in spans)


def replies(text: str) -> tuple[Statement, ...]:
    """Cut an answer into its claims, each with the yes or no before it: "No. It travels free." answers a question."""
    found: list[Statement] = []
    at = 0
    for claim in claims(text):
        word = _REPLY.search(text, at, claim.start)
        alone = word and text[at : word.start()].rstrip()[-1:] in _ENDS
        start = word.start() if word and alone else claim.start
        found.append(Statement(text[start : claim.end], start, claim.end))
        at = claim.end
    return tuple(found)


def claims(text: str) -> tuple[Statement, ...]:
    """Cut a text into the statements that can be true or false: questions, greetings and thanks are left out."""
    return tuple(statement for statement in statements(text) if not _phatic(statement.text))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield sentences and fenced blocks of code, in their order."""
    at = 0
    for match in _FENCE.finditer(text):
        yield from _prose(text, at, match.start())
        if span := strip(text, match.start(), match.end()):
            yield span
        at = match.end()
    yield from _prose(text, at, len(text))


def _prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for left, right in sentences(text[start:end]):
        marker = _MARKER.match(text, start + left, start + right)
        begin = marker.end() if marker else start + left
        particle = _PARTICLE.match(text, begin, start + right)
        begin = particle.end() if particle else begin
        if any(c.isalnum() for c in text[begin : start + right]):
            yield begin, start + right


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if text.startswith(("```", "~~~"), start):
        yield start, end
        return
    begin = read = start
    words, verb = 0, False
    for joint in _JOINT.finditer(text, start, end):
        for token in chain.from_iterable(tokens(text, [(read, joint.start())])):  # each token is read once
            words, verb = words + 1, verb or _is_verb(token)
        read = joint.start()
        if (
            words >= _SHORTEST
            and verb
            and _opens_clause(text, joint.end(), end, semicolon=";" in joint.group())
        ):
            yield begin, joint.start()
            word = _CONJUNCTION.match(text, joint.end(), end)
            begin = read = word.end() if word else joint.end()
            words, verb = 0, False
    yield begin, end


def _is_verb(token: WordToken) -> bool:
    return token.norm in VERBS or token.norm.endswith("ed")


def _opens_clause(text: str, start: int, end: int, *, semicolon: bool) -> bool:
    """Whether what follows a joint has its own subject and, soon after, its own verb."""
    words = first_tokens(text, start, end, _OPENING)
    if semicolon:
        return len(words) >= _SHORTEST
    if not words:
        return False
    subject = words[1:2]
    own = bool(subject) and (subject[0].norm in SUBJECTS or subject[0].is_capitalised)
    rest = takewhile(lambda token: token.norm not in _RELATIVE, words[2:7])
    verbs = (t.norm in VERBS or (t.norm.endswith("ed") and len(t.norm) > _SHORTEST + 1) for t in rest)
    return own and any(verbs)


def _phatic(clause: str) -> bool:
    """Whether a clause claims nothing: a question, a greeting or thanks, or a bare yes or no."""
    if clause.endswith(("?", "\uff1f", "؟")):
        return True
    words = [token.norm for row in tokens(clause) for token in row]
    return not words or words in (["yes"], ["no"]) or (len(words) <= 2 * _SHORTEST and words[0] in GREETINGS)
