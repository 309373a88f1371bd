"""Facts of sections: a question of the document with its answer, a task with its steps, and sections to search for."""

import re
from collections.abc import Iterator

from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.words import (
    CLAUSE,
    GENERIC_TITLE,
    GERUNDS,
    NOUN_VERBS,
    PLAIN_HEADING,
    POINTS_BACK,
    QUESTION_WORD,
    TASK_VERBS,
    in_small,
    is_term,
    lower,
    search_words,
)
from ragstone.drafts.reading.markdown import answer_block, lines, plain_block, plain_inline
from ragstone.drafts.words import content_set, names_in
from ragstone.text.sentences import sentences

NUMBERING = re.compile(r"^\d+(?:\.\d+)*[.)]?\s+")
_CODE = re.compile(r"\w[_.]\w|--\w|\w-\w+-\w")
_FRENCH_VERB = re.compile(
    r"(?:s['’])?(?:[a-zà-ÿ]+(?:er|ir)|faire|mettre|prendre|rendre|écrire|lire|suivre|produire|comprendre)\b",
    re.IGNORECASE,
)
_MOST_HEADING_WORDS, _MOST_TITLE_WORDS, _MOST_WORDS = 5, 3, 6


def section_query(source: FactSource, heading: str) -> str | None:
    """Return search words for a section; None if its heading says little, or needs the text around it.

    The title and the headings above it belong to the query.
    """
    topic, said = source.topic, content_set(heading)
    if topic is None or not _is_searched(heading, source.language):
        return None
    code = _CODE.search(heading) is not None
    verb = heading.split(maxsplit=1)[0].casefold()
    told = (verb in TASK_VERBS or verb in GERUNDS) and not (topic.is_name or source.is_part)
    if told or not (code or _is_worded(source, said)):
        return None  # "Use a password manager" is no name of anything
    above = _above(source, code=code, words=len(said))
    if above is None or said <= content_set(" ".join(above)):
        return None
    if source.is_part and not source.product_before(heading):
        above = []  # "ragstone gate" on the page "Command line"
    own = (
        above[:1] if not source.is_part else []
    )  # "Information security policy", which alone names its sections
    repeated = [
        one for one in above if content_set(one) & said and (one not in own or content_set(one) <= said)
    ]
    named = [one for one in above if one and one not in repeated]
    product = source.product_before(" ".join((*named, heading)))
    length = len(content_set(" ".join((product, *named, heading)))) + (source.depth > 1 and not code)
    return search_words(source.language, product, *named, heading) if length <= _MOST_WORDS else None


def _is_worded(source: FactSource, said: frozenset[str]) -> bool:
    """Return whether a heading names its section in words that a reader knows: those of its text, or those of a form.

    The headings of a document that is about a name of its own, such as a library, are taken as they are.
    """
    own = source.topic is not None and source.topic.is_name and not source.topic.whole
    used = len(said & content_set(source.text)) * 3 >= len(said) * 2
    if len(said) == 1:
        return own or used or source.is_form or not source.is_part
    return (own or used) and not source.is_form


def _is_searched(heading: str, language: str) -> bool:
    verb = language == "fr" and _FRENCH_VERB.match(heading)
    plain = PLAIN_HEADING.fullmatch(heading) or re.search(r"[,/]", heading)
    return not (verb or plain) and is_term(heading, _MOST_HEADING_WORDS)


def _above(source: FactSource, *, code: bool, words: int) -> list[str] | None:
    """Return the title and the headings between it and the section; None if they cannot be typed before it."""
    headings, topic = [NUMBERING.sub("", one) for one in source.passage.headings], source.topic
    between = [] if code else headings[len(headings) - source.depth : -1]
    if any(one.endswith("?") or PLAIN_HEADING.fullmatch(one) for one in between):
        return None
    if topic and topic.is_own:
        return [topic.searched, *between]
    title = GENERIC_TITLE.sub("", NUMBERING.sub("", source.title)).strip()
    task = words > 1 and is_term(title, _MOST_TITLE_WORDS) and len(title.split()) <= _MOST_TITLE_WORDS
    return [title] if (task or not title) and not between else None


_ASKED = re.compile(
    r"\W{0,4}(?:(?:Q|F|Question|Frage)\s?\d*[:.]\s*)?(?P<question>[^\W\d_][^?\n]{8,140}\?)\W{0,4}"
)
_ANSWER_MARK = re.compile(r"\W{0,4}(?:A|R|Answer|Antwort|Réponse)[:.]\W{0,3}\s+")
_FAQ = re.compile(r"\b(?:faqs?|questions|fragen|q ?& ?a)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\?| · |^(?:for (?:more|additional|further)|(?:please )?(?:see|refer|read|review)|siehe|voir)\b|"
    r"\b(?:here|hier|ici|above|below|oben|unten|ci-dessus|ci-dessous)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])?|https?://\S+")
_MARKUP = ("|", "<", "!", "[", "#", "{", "???", "```")
_MAX_ANSWER_CHARS, _MIN_ANSWER_CHARS, _MIN_SECTION_CHARS = 1200, 4, 60
_LEAST_LINKING_WORDS, _LEAST_SECTION_WORDS, _ENOUGH_WORDS = 8, 15, 3


def section_facts(source: FactSource, *, first: bool) -> Iterator[Fact]:
    """Yield the facts of a section: questions in its text, and, in its `first` passage, those of its heading."""
    text, heading = source.text, NUMBERING.sub("", source.place).rstrip(". ")
    asked = [(match, start, end) for start, end in lines(text) if (match := _ASKED.match(text, start, end))]
    if first and heading.endswith("?"):
        short = source.whole and len(text) <= _MAX_ANSWER_CHARS and not asked
        yield from _asked(source, heading, (0, len(text)) if short else answer_block(text))
    elif first and heading and source.whole:
        yield from _heading_facts(source, heading)
    for number, (match, start, end) in enumerate(asked, 1):
        mark = _ANSWER_MARK.match(text, match.end())
        listed = match.end() >= end and any(map(_FAQ.search, source.passage.headings))
        if mark or listed or text[start:end].startswith(("**", "__", "Q", "F")):
            span = answer_block(text, mark.end() if mark else match.end())
            stop = text.rfind("\n", 0, asked[number][1]) if number < len(asked) else len(text)
            yield from _asked(source, match["question"], (span[0], min(span[1], stop)) if span else None)


def _heading_facts(source: FactSource, heading: str) -> Iterator[Fact]:
    """Yield the fact of a heading that names a task, or else a thing to search for."""
    text, section = source.text, (0, len(source.text))
    task = None if source.is_form else task_question(heading, text, source.language, source.ordinary)
    asked = _complete_task(task, source) if task and _is_answer(text) else None
    if asked:
        yield Fact("task", source.index, section, asked, heading, "", plain_block(text))
    elif len(unlinked := _LINK.sub("", text)) >= _MIN_SECTION_CHARS:
        if unlinked != text and len(content_set(unlinked)) < _LEAST_SECTION_WORDS:
            return  # it sends its reader to another page
        query = section_query(source, heading)
        if query:
            yield Fact("search", source.index, section, query, query, "", "")


def _complete_task(task: str, source: FactSource) -> str | None:
    """Return a task with the topic, in one sentence; None if it says too little without, or is one of a product."""
    topic = source.topic
    if topic is None or source.is_part:
        return None  # "Choose the judge" on a page about pytest
    question = source.complete(task)
    if question != task and (question.startswith(task[:5]) or (source.language != "en" and topic.is_name)):
        return question
    needed = _ENOUGH_WORDS + 1 if source.language == "en" else _ENOUGH_WORDS - 1
    return task if len(content_set(task)) >= needed else None


def _asked(source: FactSource, question: str, span: tuple[int, int] | None) -> Iterator[Fact]:
    """Yield the fact of a question of the document, unless it is no question, or needs the text around it."""
    plain, answer = plain_inline(question.strip("*_ ")), source.text[slice(*(span or (0, 0)))]
    if not re.search(r"\b[a-z]{4}", plain):
        plain = plain[:1] + in_small(plain[1:], source.ordinary)
    asks = QUESTION_WORD.match(plain) and not re.search(r"[\[\]|{}]", plain)
    vague = POINTS_BACK.search(plain) or PLAIN_HEADING.fullmatch(plain.rstrip("? "))
    named = source.topic or names_in(plain[1:]) or source.language == "de"
    enough = named and len(content_set(plain)) >= (1 if source.own_topic else _ENOUGH_WORDS)
    if span and asks and not vague and enough and _is_answer(answer):
        yield Fact("asked", source.index, span, source.complete(plain), plain, "", plain_block(answer))


def _is_answer(text: str) -> bool:
    """Return whether a text can be expected as an answer: no table, no other question, no mere link."""
    linked = _LINK.search(text) and len(content_set(_LINK.sub("", text))) < _LEAST_LINKING_WORDS
    fits = _MIN_ANSWER_CHARS <= len(text) <= _MAX_ANSWER_CHARS
    return fits and not (linked or _ELSEWHERE.search(text) or text.startswith(_MARKUP) or text.endswith(":"))


_STEP = re.compile(r"[ \t]*(?:[-*]|\d+[.)]|```)", re.MULTILINE)
_JOINING = re.compile(
    r"(?:and|or|how|whether|if|that|when|which|out|as|to|with|from|in|on|up|off|into|by|for)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:an?|the|my|your|multiple)\b|`", re.IGNORECASE)
_PLURAL = re.compile(
    r"(?:(?!in |of |for |from |at |to |with |on |by )\S+ )*?\S+[^\Wsui]s(?: (?:in|of|for|from|at|to|with|on|by) .*|$)"
)
_GERMAN = re.compile(r"[A-ZÄÖÜ].* [a-zäöüß]+(?:en|ern|eln)")
_FRENCH = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]{2,}(?:er|ir|re) (?:l[ea]s?|une?|des|son|sa|ses|l['’])\b.*")
_COMMANDS = TASK_VERBS | {"go", "hold", "leave", "wait", "rinse", "turn", "close", "first,", "install"}
_POINTING = re.compile(
    r"(?:see|read|refer|siehe|voir|now|this|that|these|those|it|its|then|next|finally|also|instead|another|as|such|here|both|again)\b",
    re.IGNORECASE,
)
_MOST_TASK_WORDS = 6


def task_question(heading: str, text: str, language: str, ordinary: frozenset[str]) -> str | None:
    """Return the question for a heading that names a task, if the text of its section tells how."""
    plain = 1 < len(heading.split()) <= _MOST_TASK_WORDS and not re.search(r"[:;?!(/]|, ", heading)
    if not plain or POINTS_BACK.search(heading) or _POINTING.match(text):
        return None
    if language == "en":
        return _english(heading, ordinary) if _is_instruction(text) else None
    if CLAUSE.search(heading) or not _STEP.search(text):
        return None
    if language == "de" and _GERMAN.fullmatch(heading):
        return f"Wie kann ich {lower(heading) if re.match(r'(?:Ein|D[aei])', heading) else heading}?"
    return f"Comment {lower(heading)} ?" if language == "fr" and _FRENCH.fullmatch(heading) else None


def _english(heading: str, ordinary: frozenset[str]) -> str | None:
    words = re.sub(r"^how to ", "", heading, flags=re.IGNORECASE).split()
    verb = GERUNDS.get(words[0].casefold(), words[0].casefold())
    if verb not in TASK_VERBS or len(words) == 1 or _JOINING.match(words[1]):
        return None
    if not _ARTICLE.match(words[1]) and (verb in NOUN_VERBS or not _PLURAL.match(" ".join(words[1:]))):
        return None
    rest = re.sub(r"\byour\b", "my", " ".join(words[1:]))
    return None if CLAUSE.search(rest.replace("my", "")) else f"How do I {verb} {in_small(rest, ordinary)}?"


def _is_instruction(text: str) -> bool:
    """Return whether a section tells what to do: a list, code, or a sentence that begins with a verb."""
    first = text[slice(*next(iter(sentences(text)), (0, 0)))]
    verb = first.split(" ")[0].casefold() if first else ""
    aimed = re.match(r"(?:To|If|For) [^.]*, (\w+)", first)
    said = re.search(r"\b[Yy]ou (?:can|must|need|may|should)\b", first)
    return bool(_STEP.search(text) or verb in _COMMANDS or said or (aimed and aimed[1] in TASK_VERBS))
