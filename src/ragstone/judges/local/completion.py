"""Terse answers, completed by their question: "Until 5 pm." answers "How long is the desk open?".

"Yes.", "206" or "Goethe" is neither true nor false by itself. Together with its question it makes a statement that can
be judged: "The hotel does have 206 rooms." The rules are for English; any other terse answer stays as it is, and the
judge cannot tell.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.text.lexicon import QUESTION_WORDS, SUBJECTS, VERBS

_FILLER = r"(?:[\s,]+(?:of course|indeed|definitely|unfortunately|sorry|sadly|i'm afraid|not))*"
_YES = re.compile(
    rf"\s*(?:yes|yep|yeah|correct|true|that(?: is|'s) (?:right|true)){_FILLER}\W*\Z", re.IGNORECASE
)
_NO = re.compile(rf"\s*(?:no|nope|false|incorrect|not true){_FILLER}\W*\Z", re.IGNORECASE)
_TRUE_OR_FALSE = re.compile(r"\s*true or false\s*[:?,-]?\s*(?P<claim>.+)", re.IGNORECASE | re.DOTALL)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BE = _words("is are was were")
_AUXILIARIES = _BE | _words("do does did can could may might must shall should will would has have had")
_ASKING_WORDS = _words("who whom whose which what when where how")
_PRONOUNS = _words("i you he she it we they there this that these those")
_PREPOSITIONS = _words(
    """
    in on at for from to by with within during over under until till after before between about per via as
    """
)
_DETERMINERS = _words("the a an my your his her its our their this that these those any every each")
_PREDICATES = _words(
    """
    open closed free available possible necessary valid due safe legal ready full empty subject able eligible
    responsible liable tall long wide high deep old big large heavy far near different same cheaper better worse
    still also already always usually there part worth built held made sold found written known given taken
    shown kept paid sent done born rebuilt begun broken chosen cut drawn driven eaten hidden laid led left lent
    lost put read seen set shut spent stolen taught told won worn
    """
)
"""Words that may begin the predicate after a form of "be"."""
_BASE_VERBS = _words(
    """
    have cost take last need pay open close start begin end offer sell accept include cover contain require
    allow stand lie sit permit mean live work stay come go leave arrive run get give keep make use bring send
    apply cancel change expire belong play win lose write build found invent discover happen occur weigh measure
    hold stop serve provide charge count receive return ship deliver depart land travel walk eat drink feed grow
    know say call wear store park book order buy own produce support affect depend earn qualify request file
    submit renew register visit enter
    """
)
_BASE_FORMS = _BASE_VERBS | VERBS
_WORD = re.compile(r"\S+")
_MAX_TERSE_WORDS = 8
"""Maximum number of words of an answer that may be terse."""


class _Question(NamedTuple):
    """The parts of "in which year was it built": question word, `asked` ("year"), auxiliary, the rest, preposition."""

    question_word: str
    asked: tuple[str, ...]
    auxiliary: str
    rest: tuple[str, ...]
    preposition: str = ""


def complete(question: str, text: str) -> str:
    """Return the statement that a terse answer makes together with its question; the text itself if it makes none."""
    if not is_terse(text):
        return text
    answer = text.strip().strip(".!").strip()
    if match := _TRUE_OR_FALSE.match(question):
        return _true_or_false(match["claim"].strip(" .?"), text) or text
    asked = _last_question(question)
    parsed = _parse(asked) if asked else None
    if parsed is None:
        return text
    if is_reply(text):
        return _reply(parsed, negative=bool(_NO.match(text))) or text
    return _sentence(_with_answer(parsed, answer)) if parsed.question_word else text


def is_terse(text: str) -> bool:
    """Whether a text is a bare yes or no, or a few words without a verb."""
    words = [word.strip(".,;:!?'\"()").casefold() for word in _WORD.findall(text)]
    if is_reply(text):
        return True
    has_verb = any(len(word) > 1 and (word in VERBS or word in _AUXILIARIES) for word in words)
    return 0 < len(words) <= _MAX_TERSE_WORDS and not has_verb and not _has_verb_form(words)


def is_reply(text: str) -> bool:
    """Whether a text is a bare yes or no."""
    return bool(_YES.match(text) or _NO.match(text))


def _has_verb_form(words: Sequence[str]) -> bool:
    """Whether a word after the first may be a verb: it ends in -ed, or is a base verb or its form in -s."""
    may_be = (
        word.endswith("ed") or not _BASE_VERBS.isdisjoint((word, word.removesuffix("s")))
        for word in words[1:]
    )
    return any(may_be) or bool(words and words[0] in _PRONOUNS)


def _last_question(question: str) -> str:
    """Return the last sentence of a question that begins like one, without its question mark; else empty."""
    parts = re.split(r"(?<=[.!?])\s+", question.strip())
    for part in reversed(parts):
        first = part.split(maxsplit=1)[0].casefold() if part.split() else ""
        if first in QUESTION_WORDS or first in _AUXILIARIES or part.endswith("?"):
            return part.rstrip(" ?.!")
    return ""


def _true_or_false(claim: str, text: str) -> str:
    if _YES.match(text):
        return _sentence(claim.split())
    return f"It is not true that {claim[:1].lower()}{claim[1:]}." if _NO.match(text) else ""


def _parse(question: str) -> _Question | None:
    words = question.split()
    folded = [word.casefold().strip(",") for word in words]
    if folded[0] in _AUXILIARIES and len(words) > 1:
        return _Question("", (), folded[0], tuple(words[1:]))
    start = next((i for i, word in enumerate(folded[:3]) if word in _ASKING_WORDS), None)
    if start is None:
        return None
    is_how_many = folded[start] == "how" and len(words) > start + 1 and folded[start + 1] not in _AUXILIARIES
    length = 2 if is_how_many else 1
    question_word = " ".join(folded[start : start + length])
    body = words[start + length :]
    auxiliary = next((i for i, word in enumerate(body) if word.casefold() in _AUXILIARIES), None)
    if auxiliary is None:
        return _Question(question_word, (), "", tuple(body))
    before, after = tuple(body[:auxiliary]), tuple(body[auxiliary + 1 :])
    preposition = folded[start - 1] if start and folded[start - 1] in _PREPOSITIONS else ""
    return _Question(question_word, before, body[auxiliary].casefold(), after, preposition)


def _reply(question: _Question, *, negative: bool) -> str:
    """Return the statement of a yes or no; empty if the question does not ask for one."""
    if question.question_word:
        return ""
    subject, predicate = _split(question)
    denial = ["not"] if negative else []
    return _sentence([*subject, question.auxiliary, *denial, *predicate])


def _with_answer(question: _Question, answer: str) -> list[str]:
    """Return the words of a question with its answer in the place of what it asks for."""
    kind = question.question_word
    words = _placed(question, answer.split())
    measure = kind.split()[-1] if kind.startswith("how ") else ""
    asked = question.asked if measure == "many" else ()
    noun = [word for word in asked if word.casefold() not in answer.casefold()]
    if not question.auxiliary:  # "Who wrote it?", "How many people live there?"
        rest = question.rest
        skipped = 1 if kind in {"which", "what", "whose"} and len(rest) > 1 else 0
        return [*words, *rest[skipped:]]
    asks_for_one = kind in {"who", "what", "which"} and not question.asked
    if asks_for_one and question.auxiliary in _BE:
        rest = question.rest  # "Who is free on Monday?", "What is the fee for late payment?"
        first = rest[0].casefold() if rest else "the"
        is_predicate = _begins_predicate(first) and first not in _DETERMINERS
        return [*words, question.auxiliary, *rest] if is_predicate else [*rest, question.auxiliary, *words]
    subject, predicate = _split(question)
    if question.auxiliary in _BE and measure and measure not in {"many", "much"}:
        return [*subject, question.auxiliary, *words, measure, *predicate]  # "How tall is it?"
    if asks_for_one and question.auxiliary not in _BE and not predicate:
        return [*words, question.auxiliary, *subject]
    if predicate[-1:] and predicate[-1].casefold() in _PREPOSITIONS and words[0].casefold() in _PREPOSITIONS:
        predicate = predicate[:-1]
    return [*subject, question.auxiliary, *predicate, *words, *noun]


def _placed(question: _Question, words: list[str]) -> list[str]:
    """Return the words of an answer with a preposition before it, if it needs one."""
    first = words[0].casefold()
    if first in _PREPOSITIONS or first in _DETERMINERS:
        words = [first, *words[1:]]
    preposition = question.preposition
    if not preposition and question.auxiliary not in _BE:
        by_word = {"where": "in", "when": "in" if words[0].isdecimal() else ""}
        preposition = by_word.get(question.question_word, "")
    return [preposition, *words] if preposition and first not in _PREPOSITIONS else words


def _split(question: _Question) -> tuple[list[str], list[str]]:
    """Return the subject and the predicate of the words after an auxiliary. The split is approximate."""
    words = [*question.rest]
    folded = [word.casefold().strip(",") for word in words]
    if not words:
        return [], []
    before_noun = len(folded) > 1 and not _begins_predicate(folded[1]) and folded[1] not in SUBJECTS
    if folded[0] in _PRONOUNS and not (folded[0] in _DETERMINERS and before_noun):
        return words[:1], words[1:]
    begins = _begins_predicate if question.auxiliary in _BE else _BASE_FORMS.__contains__
    first = 2 if folded[0] in _DETERMINERS else 1
    at = next((i for i in range(first, len(words)) if begins(folded[i]) and folded[i - 1] != "of"), None)
    if at is None:
        at = len(words) if question.auxiliary in _BE and question.question_word else len(words) - 1
    return words[:at], words[at:]


def _begins_predicate(word: str) -> bool:
    is_listed = word in _PREDICATES or word in _PREPOSITIONS or word in _DETERMINERS
    return is_listed or word.endswith(("ed", "ing", "able", "ible"))


def _sentence(words: Sequence[str]) -> str:
    text = " ".join(words)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
