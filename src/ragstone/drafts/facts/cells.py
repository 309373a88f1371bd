"""Facts stated by table cells, and by lines "label: value": prices, opening hours, terms, figures of the topic.

Of a cell the row is the subject, the column the attribute, in the table's words.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

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
    TIME_OF_DAY,
    is_term,
    lower,
    search_words,
)
from ragstone.drafts.reading.markdown import lines, plain_inline, tables

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
_MIN_MEANING_WORDS, _MOST_LABEL_WORDS = 4, 7


def label_facts(source: FactSource) -> Iterator[Fact]:
    """Yield the facts of the lines of a passage."""
    for start, end in lines(source.text):
        match = _LABEL.fullmatch(plain_inline(source.text[start:end]))
        if match is None or "http" in match[0] or POINTS_ELSEWHERE.search(match["value"]):
            continue
        label, value = match["label"].strip("*_ "), match["value"].strip("*_ ").rstrip(".")
        question = _ask_label(label, value, source)
        if question and value:
            named = source.topic.searched if source.topic else ""
            yield Fact(
                "label", source.index, (start, end), question, named or label, label if named else "", value
            )


def _ask_label(label: str, value: str, source: FactSource) -> str | None:
    topic, language = source.own_topic, source.language
    if _GLOSSARY.search(source.place) and "_" not in label and len(value.split()) >= _MIN_MEANING_WORDS:
        question = _MEANINGS[language].format(label)
        return topic.complete(question, language) if topic and topic.lead else question
    prose = re.search(r"[.!?;]\s|[`?'\"{}#<>=\\]|:$", value) or len(value.split()) > _MOST_LABEL_WORDS
    elsewhere = source.depth > 1 or source.place.endswith("?")
    if topic is None or topic.lead == "under" or (topic.whole and not topic.is_name):
        return None
    if elsewhere or prose or not _FIGURE.match(value):
        return None
    if DAYS[language].fullmatch(label):
        return _ask_hours(label, topic.name, language) if HOURS.search(source.place) else None
    if MONEY.match(value):
        return ask_price(label, source)
    named = is_term(label) and not REMARK.fullmatch(label)
    return search_words(language, topic.searched, label) if named else None


def ask_price(thing: str, source: FactSource, *variant: str) -> str | None:
    """Return the question for the price of a thing: a sentence where its grammar is plain, else search words."""
    topic, language, named = source.own_topic, source.language, " ".join((thing, *variant))
    if topic is None or not is_term(thing, 5):
        return None
    is_amount = PRICE.search(named) or AMOUNT.search(named)
    plain = not (variant or is_amount) and _PLAIN_THING.fullmatch(thing)
    if language == "en" and topic.lead == "at" and plain:
        return topic.complete(f"How much does the {lower(thing)} cost?", language)
    if set(thing.casefold().split()) <= set(topic.name.casefold().split()):
        return None
    sold = topic.lead == "at" or any(map(PRICE.search, source.passage.headings))
    if not (sold or variant):
        return None
    price = (PRICE_WORDS[language],) if sold and not is_amount else ()
    return search_words(language, topic.searched, *variant[:-1], thing, *variant[-1:], *price)


def _ask_hours(days: str, name: str, language: str) -> str | None:
    if language == "de":
        return search_words(language, name, "Öffnungszeiten", days)
    if language == "fr":
        return search_words(language, name, "horaires", days)
    days = days if re.match(r"\w+day\b", days) and not days.startswith(("Week", "Holi")) else lower(days)
    return f"What are the opening hours of {name} {'from' if ' to ' in days else 'on'} {days}?"


_VERBS = {
    "does": "do", "what it does": "do", "purpose": "do", "means": "mean", "meaning": "mean", "description": "mean",
    "holds": "contain", "contains": "contain", "returns": "return",
}  # fmt: skip
_LOCAL = frozenset(
    "option parameter argument field flag attribute setting header column property keyword".split()
)
_GLOBAL = frozenset("command metric preset function method class variable event hook code".split()) | {
    "environment variable", "error code", "exit code", "status code",
}  # fmt: skip
_CODE = re.compile(r"`[^`\s…=|/][^`…=|]*`")
_EMPTY = frozenset(
    {"", "-", "–", "—", "…", "?", "n/a", "yes", "no", "x", "✓", "✗", "ja", "nein", "oui", "non", "none"}
)
_REMARK = re.compile(
    r"(?:notes?|descriptions?|comments?|details?|remarks?|examples?|links?|status|types?|kinds?|why|how|what|where|who|result|"
    r"bemerkung\w*|hinweise?|beschreibung|beispiele?|remarques?|exemples?)\b.*",
    re.IGNORECASE,
)
_VALUE = re.compile(r"values?|werte?|valeurs?", re.IGNORECASE)
_OPENING = {
    "opens": "open",
    "open": "open",
    "opening": "open",
    "closes": "close",
    "closing": "close",
    "close": "close",
}
_MOST_NAME_WORDS, _MOST_VALUE_WORDS, _MOST_CHARS = 3, 6, 260


class _Cell(NamedTuple):
    """A cell: the header of the first column, the names of row and column, its value, and whether it is filled."""

    head: str
    row: str
    column: str
    value: str
    filled: bool


def table_facts(source: FactSource) -> Iterator[Fact]:
    """Yield a fact for each cell whose row, column and value make a question."""
    for table in tables(source.text):
        names = Counter(row[0] for row in table.rows)
        for row, span in zip(table.rows, table.spans, strict=True):
            for number, column in enumerate(table.header[1:], 1):
                usual = next((other[number] for other in table.rows if _is_answer(other[number])), "")
                value = row[number].strip() or usual
                cell = _Cell(table.header[0], row[0], column.strip(), value, bool(row[number].strip()))
                if names[row[0]] == 1 and _is_answer(value):
                    question = _ask_code(cell, source) if _CODE.fullmatch(row[0]) else _ask(cell, source)
                    if question:
                        form = "cell" if cell.filled else "blank"
                        yield Fact(
                            form, source.index, span, question, row[0], cell.column, value, noun=cell.head
                        )


def _ask_code(cell: _Cell, source: FactSource) -> str | None:
    """Return the question for a cell about code, such as an option, if the header says what it is, and of what."""
    noun, column, topic = cell.head.strip().casefold(), cell.column.casefold(), source.own_topic
    verb, value = _VERBS.get(column, ""), cell.value
    described = " " in value and not re.match(r"`|(?:[a-z]+ed|sent|read)\b", value)
    told = described and (verb != "do" or re.match(r"\w+s\b", value)) if verb else column == "default"
    if source.language != "en" or not cell.filled or not told:
        return None
    name = f"the {noun} {cell.row}"
    if noun in _GLOBAL:
        return f"What does {name} {verb}?" if verb else f"What is the default of {name}?"
    if noun not in _LOCAL or topic is None:
        return None
    if not topic.is_name:
        return search_words(
            "en", source.product_before(topic.name), topic.searched, cell.row, noun if verb else column
        )
    where = f"{topic.lead or 'of'} {topic.name}"
    mean = f"What does {name} {verb} {where}?" if topic.lead else f"What does {name} {where} {verb}?"
    return mean if verb else f"What is the default of {name} {where}?"


def _ask(cell: _Cell, source: FactSource) -> str | None:
    """Return the question for a cell of a price list, a timetable or another table of the document's topic."""
    topic, language, value, column = source.own_topic, source.language, cell.value, cell.column
    counted = re.search(r"\d", value) is not None
    name = re.sub(r"\(.*?\)", "", cell.row)
    if topic is None or (topic.whole and not topic.is_name):
        return None  # a chapter's title names nothing
    if "`" in f"{cell.row}{value}" or not is_term(name):
        return None
    short = len(value.split()) <= (_MOST_VALUE_WORDS if counted else _MOST_NAME_WORDS)
    if _REMARK.fullmatch(column) or not short or not (counted or (cell.filled and topic.lead == "at")):
        return None
    if DAYS[language].fullmatch(cell.row):
        opens = _OPENING.get(column.casefold().removesuffix(" at"))
        timed = language == "en" and opens and TIME_OF_DAY.fullmatch(value) and topic.is_name
        days = f"{'from' if ' to ' in cell.row else 'on'} {cell.row}"
        return f"When does {topic.name} {opens} {days}?" if timed else None
    head, place = re.sub(r"\(.*", "", cell.head), re.sub(r"^[\d.]+ ", "", source.place)
    head = head if re.search(r"\d", name) and is_term(head) else ""
    if not is_term(place, 3) or PRICE.search(place) or place[:5].casefold() == cell.head[:5].casefold():
        place = ""  # "Prices", or "Ingredients" above the header "Ingredient"
    if MONEY.fullmatch(value) or (PRICE.search(column) and counted):
        sold = PRICE.fullmatch(column) and topic.lead == "at" and not (head or place)
        return ask_price(cell.row, source, *(() if sold else (place, head, column)))
    if _VALUE.fullmatch(column):
        place = column = ""
    known = set(name.casefold().split()) <= set(topic.name.casefold().split())
    # a timetable does not say whether a time is that of an arrival
    unclear = known or TIME_OF_DAY.fullmatch(value) or (column and not is_term(column, 3))
    return None if unclear else search_words(language, topic.searched, place, head, cell.row, column)


def _is_answer(value: str) -> bool:
    if value.strip().casefold() in _EMPTY or len(value) > _MOST_CHARS or value.endswith(":"):
        return False
    return not POINTS_ELSEWHERE.search(value)
