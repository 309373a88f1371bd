"""Facts stated by lines "label: value": prices, attributes of the document's topic, opening hours and terms."""

import re
from collections.abc import Iterator

from ragstone.drafts.facts.blocks import lines
from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.topic import Topic
from ragstone.drafts.facts.wording import article_of, ask_attribute, ask_price, is_attribute, lower, verb_for
from ragstone.drafts.facts.words import FEE, MONEY, NO_THING, WEEKDAY
from ragstone.drafts.reading.markdown import plain_inline

_LABEL = re.compile(r"(?P<label>[^\W\d_`][^:|`]{1,50}?)\s*(?::(?=\s)|\s[–—]\s|\s-\s)\s*(?P<value>\S.{0,260})")
_GLOSSARY = re.compile(r"glossary|terms|definitions|vocabulary|glossar|begriffe|lexique", re.IGNORECASE)
_HOURS = re.compile(r"[Oo]pening (?:hours|times)|[Öö]ffnungszeiten|[Hh]oraires(?: d['’]ouverture)?")
_DAYS = {
    "en": re.compile(rf"{WEEKDAY.pattern}(?:(?: to |–|-| and ){WEEKDAY.pattern})?", re.IGNORECASE),
    "de": re.compile(r"(?:\w+tags?|Mittwoch|Sonnabend)(?:(?: bis |–|-| und )(?:\w+tags?|Mittwoch))?"),
    "fr": re.compile(
        r"(?:(?:du |le )?\w+di|dimanche)(?:(?: au |–|-| et )(?:\w+di|dimanche))?", re.IGNORECASE
    ),
}
_MIN_MEANING_WORDS = 4
_MAX_LABEL_WORDS = 6


def label_facts(source: FactSource) -> Iterator[Fact]:
    """Yield the facts of the lines of a passage."""
    topic, language = source.own_topic, source.language
    for start, end in lines(source.text):
        line = plain_inline(source.text[start:end])
        match = _LABEL.fullmatch(line)
        if match is None or "http" in line or POINTS_ELSEWHERE.search(match["value"]):
            continue
        label, value = match["label"].strip("*_ "), match["value"].strip("*_ ").rstrip(".")
        question = (
            _ask(label, value, source.place, topic, language)
            if len(label.split()) <= _MAX_LABEL_WORDS
            else None
        )
        if question and value:
            subject = topic.name if topic and is_attribute(label, language) else label
            attribute = label if subject != label else "cost" if MONEY.fullmatch(value) else ""
            parts = (question, subject, attribute, value, article_of(label, language), "", source.place)
            yield Fact("label", source.index, (start, end), *parts)


def _ask(label: str, value: str, place: str, topic: Topic | None, language: str) -> str | None:
    """Return the question for a label, or None."""
    if _GLOSSARY.search(place) and len(value.split()) >= _MIN_MEANING_WORDS:
        asked = {"de": f"Was bedeutet „{label}“?", "fr": f"Que signifie « {label} » ?"}
        question = asked.get(language, f"What does “{label}” mean?")
        return topic.complete(question, language) if topic else question
    if topic is None or re.search(r"[.!?;]\s", value):
        return None  # a sentence of prose with a colon
    if _HOURS.search(place) and _DAYS[language].fullmatch(label) and re.search(r"\d", value):
        return _ask_hours(label, topic, language)
    if MONEY.fullmatch(value):
        return topic.complete(price, language) if (price := _ask_amount(label, language)) else None
    if topic.lead == "under" or not is_attribute(label, language) or not re.search(r"[^\W\d_]", value):
        return None
    return ask_attribute(
        label if language == "de" else lower(label), topic.name, language, article_of(label, language)
    )


def _ask_amount(label: str, language: str) -> str | None:
    """Return the question for an amount of money: the price of a thing, or in English a fee."""
    if not FEE.fullmatch(label) and not NO_THING.fullmatch(label):
        return ask_price(label, language)
    return f"How much {verb_for(label)} the {lower(label)}?" if language == "en" else None


def _ask_hours(days: str, topic: Topic, language: str) -> str:
    if language == "de":
        when = f"von {days}" if " bis " in days else f"am {days}"
        return topic.complete(f"Wie sind die Öffnungszeiten {when}?", language)
    if language == "fr":
        when = re.sub(r"^(?:du |le )?", "du " if " au " in days else "le ", lower(days))
        return topic.complete(f"Quels sont les horaires d’ouverture {when} ?", language)
    days = days if re.match(r"\w+day\b", days) and not days.startswith(("Week", "Holi")) else lower(days)
    when = f"from {days}" if " to " in days else f"on {days}"
    return f"What are the opening hours of {topic.name} {when}?"
