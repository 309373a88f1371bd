"""Facts stated by table cells: the row is the subject, the column the attribute, in the table's words."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact
from ragstone.drafts.facts.labels import ask_price
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.words import DAYS, MONEY, PRICE, TIME_OF_DAY, is_term, search_words
from ragstone.drafts.reading.blocks import tables

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
    if (
        topic is None
        or (topic.whole and not topic.is_name)
        or "`" in f"{cell.row}{value}"
        or not is_term(name)
    ):
        return None  # a chapter's title names nothing
    short = len(value.split()) <= (_MOST_VALUE_WORDS if counted else _MOST_NAME_WORDS)
    if _REMARK.fullmatch(column) or not short or not (counted or (cell.filled and topic.lead == "at")):
        return None
    if DAYS[language].fullmatch(cell.row):
        opens = _OPENING.get(column.casefold().removesuffix(" at"))
        timed = language == "en" and opens and TIME_OF_DAY.fullmatch(value) and topic.is_name
        return (
            f"When does {topic.name} {opens} {'from' if ' to ' in cell.row else 'on'} {cell.row}?"
            if timed
            else None
        )
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
