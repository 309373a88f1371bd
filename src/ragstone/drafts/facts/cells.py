"""Facts stated by table cells: the row is the subject, the column the attribute, in the table's words."""

import re
from collections import Counter
from collections.abc import Iterator

from ragstone.drafts.facts.blocks import TextTable, tables
from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.topic import Topic, titled
from ragstone.drafts.facts.wording import (
    article_of,
    ask_attribute,
    ask_price,
    is_attribute,
    is_plural,
    lower,
    row_subject,
)
from ragstone.drafts.facts.words import (
    ATTRIBUTES,
    MONEY,
    MONEY_HEADER,
    NO_THING,
    PRICE_VARIANT,
    TIME_OF_DAY,
    WEEKDAY,
)

_VERB_COLUMNS = {
    "does": "do", "what it does": "do", "means": "mean", "meaning": "mean", "holds": "contain", "contains": "contain",
    "returns": "return", "measures": "measure", "counts": "count", "writes": "write", "reads": "read", "sets": "set",
    "stores": "store",
}  # fmt: skip
_EMPTY_VALUES = frozenset(
    {"", "-", "–", "—", "…", "?", "n/a", "yes", "no", "x", "✓", "✗", "ja", "nein", "oui", "non", "none"}
)
_NUMBERS_ONLY = re.compile(r"[-+±.\d\s%,()\[\]–/·×*]+")
_OPENING = {
    "opens": "open",
    "open": "open",
    "opening": "open",
    "closes": "close",
    "closing": "close",
    "close": "close",
}
_EVENT = re.compile(r"(?:first|last|next) [a-z]+", re.IGNORECASE)
_NO_NOUN_WORDS = frozenset(
    "what here where you your case kind set name term word from to for with by day item".split()
)
_MIN_CODE_CHARS = 6
"""Characters of a code word with its back-ticks, below which it says nothing without its document: `k`."""

_MAX_LABEL_CHARS, _MAX_VALUE_CHARS = 60, 260


def table_facts(source: FactSource) -> Iterator[Fact]:
    """Yield a fact for each cell whose row, column and value make a question."""
    for table in tables(source.text):
        names = Counter(row[0] for row in table.rows)
        columns: list[tuple[str, ...]] = list(zip(*table.rows, strict=True))
        usual = [next((value for value in column if value), "") for column in columns]
        for row, span in zip(table.rows, table.spans, strict=True):
            if names[row[0]] == 1 and _is_row_name(row[0]):
                for number, column in enumerate(table.header[1:], 1):
                    filled = row[number] or (usual[number] if column.casefold() != "default" else "")
                    cell = _Cell(table, row[0], column, filled)
                    fact = _cell_fact(cell, source.language, source.topic) if _is_answer(filled) else None
                    question = _complete(fact[0], row[0], source) if fact else None
                    if fact and question:
                        _, subject, attribute, noun = fact
                        form, article = (
                            "cell" if row[number] else "blank",
                            article_of(attribute, source.language),
                        )
                        parts = (question, subject, attribute, filled.strip(), article, noun, source.place)
                        yield Fact(form, source.index, span, *parts)


def _complete(question: str, row: str, source: FactSource) -> str | None:
    """Return a question with the topic; with the title for a row such as `k`, which each document has for itself."""
    if "`" not in row or source.own_topic:
        return source.complete(question)
    local = re.fullmatch(r"`[^\W_A-Z]+`", row)
    topic = titled(source.title) if local else None
    if topic:
        return topic.complete(question, source.language)
    return None if local and len(row) < _MIN_CODE_CHARS else question


class _Cell:
    """A cell with its row, its column, and the noun for its rows."""

    def __init__(self, table: TextTable, row: str, column: str, value: str) -> None:
        self.table, self.row, self.column, self.value = table, row, column.strip(), value
        self.noun = _row_noun(table.header[0], row)


def _cell_fact(cell: _Cell, language: str, topic: Topic | None) -> tuple[str, str, str, str] | None:
    """Return question, subject, attribute and noun of a cell; None if it cannot be asked for in natural words."""
    row, column, value = cell.row, cell.column, cell.value
    if (
        language == "en"
        and topic
        and cell.noun == "ingredient"
        and column.casefold() in {"amount", "quantity"}
    ):
        ask = "How much" if re.search(r"[^\W\d_]", value) else "How many"
        ask = "What quantity of" if is_plural(row) and ask == "How much" else ask
        return f"{ask} {lower(row)} do I need for {topic.name}?", row, column, cell.noun
    is_money = MONEY.fullmatch(value) or (MONEY_HEADER.fullmatch(column) and re.search(r"\d", value))
    if is_money and "`" not in row and (topic or " " in row):
        named = MONEY_HEADER.fullmatch(column) is not None
        if NO_THING.fullmatch(row) or not (named or PRICE_VARIANT.fullmatch(column)):
            return _ask_attribute(cell, language)
        return ask_price(row, language, "" if named else lower(column)), row, column, cell.noun
    if language == "en":
        verb = _VERB_COLUMNS.get(column.casefold())
        if verb and "`" in row:
            described = (
                (verb != "do" or re.match(r"\w+s\b", value))
                and len(value.split()) > 1
                and not re.match(r"(?:[a-z]+ed|sent|read)\b", value)
            )
            return (
                (f"What does {row_subject(row, cell.noun)} {verb}?", row, verb, cell.noun)
                if described
                else None
            )
        timed = _ask_time(cell, topic)
        if timed:
            return timed, row, column, cell.noun
    return _ask_attribute(cell, language)


def _ask_attribute(cell: _Cell, language: str) -> tuple[str, str, str, str] | None:
    if not is_attribute(cell.column, language) or WEEKDAY.match(cell.row) or NO_THING.fullmatch(cell.row):
        return None
    if _NUMBERS_ONLY.fullmatch(cell.value) and "`" not in cell.row:
        return None  # the unit is not told
    known = cell.noun and ("`" in cell.row or cell.noun not in ATTRIBUTES["en"])
    if language == "en" and not (known or re.match(r"[A-ZÀ-Þ`]", cell.row)):
        return None
    subject = row_subject(cell.row, cell.noun, language)
    question = ask_attribute(cell.column, subject, language, article_of(cell.column, language))
    return (question, cell.row, cell.column, cell.noun) if question else None


def _ask_time(cell: _Cell, topic: Topic | None) -> str | None:
    """Return the question for a time of day: when something opens on a weekday, or when the last bus leaves a stop."""
    if not TIME_OF_DAY.fullmatch(cell.value) or not re.search(r"[:.]|[ap]m", cell.value):
        return None
    verb = _OPENING.get(cell.column.casefold().removesuffix(" at"))
    if verb and WEEKDAY.match(cell.row) and topic:
        return f"When does {topic.name} {verb} on {cell.row}?"
    if _EVENT.fullmatch(cell.column) and not WEEKDAY.match(cell.row):
        return f"When does the {lower(cell.column)} leave {cell.row}?"
    return None


def _is_answer(value: str) -> bool:
    too_long = len(value) > _MAX_VALUE_CHARS or value.endswith(":")
    return value.casefold() not in _EMPTY_VALUES and not too_long and not POINTS_ELSEWHERE.search(value)


def _is_row_name(label: str) -> bool:
    """Return whether a label is the name of one thing."""
    several = label.count("`") > 2 or re.search(r", |^`[^`]+` |/ |…|=|^[^`]*_", label)  # noqa: PLR2004  (two of a pair)
    fits = len(label) <= _MAX_LABEL_CHARS and not label.endswith(("?", ":", "."))
    return bool(re.search(r"[^\W\d_]", label)) and fits and not several


def _row_noun(column: str, label: str) -> str:
    """Return the common noun for the rows from the header of the first column; empty if it gives none."""
    plain = column.strip().casefold()
    words = re.fullmatch(r"[a-zà-ÿß]{3,20}(?: [a-zà-ÿß]{3,20})?", plain)
    useless = plain in _VERB_COLUMNS or plain.split(" ")[0] in _NO_NOUN_WORDS or plain in label.casefold()
    return plain if words and not useless and not plain.endswith("s") else ""
