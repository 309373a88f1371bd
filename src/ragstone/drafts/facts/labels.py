"""Facts stated by lines "label: value": prices, opening hours, terms, and figures of the document's topic."""

import re
from collections.abc import Iterator

from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.words import (
    AMOUNT,
    DAYS,
    HOURS,
    MONEY,
    PRICE,
    PRICE_WORDS,
    REMARK,
    is_term,
    lower,
    search_words,
)
from ragstone.drafts.reading.blocks import lines
from ragstone.drafts.reading.markdown import plain_inline

_LABEL = re.compile(
    r"(?:[^\w\s`(]\W*)?(?P<label>[^\W\d_`][^:|`]{1,40}?)\s*(?::(?=\s)|\s[–—]\s|\s-\s)\s*(?P<value>\S.{0,260})"
)
_GLOSSARY = re.compile(
    r"(?:\w+ )?(?:glossary|terms|definitions|vocabulary|glossar|begriffe|lexique)$", re.IGNORECASE
)
_MEANINGS = {"en": "What does “{}” mean?", "de": "Was bedeutet „{}“?", "fr": "Que signifie « {} » ?"}
_FIGURE = re.compile(
    r"(?:(?:about|from|up to|ab|bis|à partir de) )?[€$£+]?\d[\d.,:]*\b(?![A-Z])", re.IGNORECASE
)
_PLAIN_THING = re.compile(r"(?:[A-Z]{2,}|[A-Z]?[a-z’'-]+) [a-z’'-]*[a-rt-z](?<!ing)")
_MIN_MEANING_WORDS, _MOST_VALUE_WORDS = 4, 7


def label_facts(source: FactSource) -> Iterator[Fact]:
    """Yield the facts of the lines of a passage."""
    for start, end in lines(source.text):
        match = _LABEL.fullmatch(plain_inline(source.text[start:end]))
        if match is None or "http" in match[0] or POINTS_ELSEWHERE.search(match["value"]):
            continue
        label, value = match["label"].strip("*_ "), match["value"].strip("*_ ").rstrip(".")
        question = _ask(label, value, source)
        if question and value:
            named = source.topic.searched if source.topic else ""
            yield Fact(
                "label", source.index, (start, end), question, named or label, label if named else "", value
            )


def _ask(label: str, value: str, source: FactSource) -> str | None:
    """Return the question for a label, or None."""
    topic, language = source.own_topic, source.language
    if _GLOSSARY.search(source.place) and "_" not in label and len(value.split()) >= _MIN_MEANING_WORDS:
        question = _MEANINGS[language].format(label)
        return topic.complete(question, language) if topic and topic.lead else question
    prose = re.search(r"[.!?;]\s|[`?'\"{}#<>=\\]|:$", value) or len(value.split()) > _MOST_VALUE_WORDS
    if (
        topic is None
        or topic.lead == "under"
        or source.depth > 1
        or source.place.endswith("?")
        or (topic.whole and not topic.is_name)
        or prose
        or not _FIGURE.match(value)
    ):
        return None
    if DAYS[language].fullmatch(label):
        return _ask_hours(label, topic.name, language) if HOURS.search(source.place) else None
    if MONEY.match(value):
        return ask_price(label, source)
    return (
        search_words(language, topic.searched, label)
        if is_term(label) and not REMARK.fullmatch(label)
        else None
    )


def ask_price(thing: str, source: FactSource, *variant: str) -> str | None:
    """Return the question for the price of a thing: a sentence where its grammar is plain, else search words."""
    topic, language, named = source.own_topic, source.language, " ".join((thing, *variant))
    if topic is None or not is_term(thing, 5):
        return None
    if (
        language == "en"
        and topic.lead == "at"
        and not variant
        and not (PRICE.search(named) or AMOUNT.search(named))
        and _PLAIN_THING.fullmatch(thing)
    ):
        return topic.complete(f"How much does the {lower(thing)} cost?", language)
    if set(thing.casefold().split()) <= set(topic.name.casefold().split()):
        return None
    sold = topic.lead == "at" or any(map(PRICE.search, source.passage.headings))
    if not (sold or variant):
        return None
    price = (PRICE_WORDS[language],) if sold and not (PRICE.search(named) or AMOUNT.search(named)) else ()
    return search_words(language, topic.searched, *variant[:-1], thing, *variant[-1:], *price)


def _ask_hours(days: str, name: str, language: str) -> str | None:
    if language == "de":
        return search_words(language, name, "Öffnungszeiten", days)
    if language == "fr":
        return search_words(language, name, "horaires", days)
    days = days if re.match(r"\w+day\b", days) and not days.startswith(("Week", "Holi")) else lower(days)
    return f"What are the opening hours of {name} {'from' if ' to ' in days else 'on'} {days}?"
