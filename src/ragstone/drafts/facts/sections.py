"""Facts of sections: a question of the document with its answer, a task with its steps, and sections to search for."""

import re
from collections.abc import Iterator

from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.facts.known_items import NUMBERING, section_query
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.tasks import task_question
from ragstone.drafts.facts.words import PLAIN_HEADING, POINTS_BACK, QUESTION_WORD, in_small
from ragstone.drafts.reading.blocks import answer_block, lines, plain_block
from ragstone.drafts.reading.markdown import plain_inline
from ragstone.drafts.text.words import content_set, names_in

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
