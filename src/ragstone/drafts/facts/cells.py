"""Facts stated by table cells: the row is the subject and the column the attribute. The first column names the rows."""

import re
from collections import Counter
from collections.abc import Iterator

from ragstone.drafts.facts.blocks import TextTable, tables
from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact, points_back

_VERB_COLUMNS = {
    "does": "do", "means": "mean", "holds": "hold", "contains": "contain", "returns": "return", "measures": "measure",
    "shows": "show", "needs": "need", "asks": "ask", "gives": "give", "counts": "count", "writes": "write",
    "reads": "read", "sets": "set", "tests": "test", "says": "say", "stores": "store",
}  # fmt: skip
_ATTRIBUTE_COLUMNS = frozenset(
    """address amount area author budget capacity capital category city class code colour color
     cost country currency customer date deadline default department description director distance duration
     employees encoding fee field fields format founder frequency group height
    identifier interval key kind language length level licence license location maker manager
    material maximum meaning measurement measurements metadata method minimum model name number owner page path
    percentage period phone pin place population port position price priority product protocol purpose quantity
    range rate rating region requirement requirements role salary schema scope script sector setting
    share size source speed spelling spec standard status steps suffix supplier symbol syntax tag
    temperature term threshold time title total type unit units url usage user value values variable vendor version
    volume warranty weight width year zone
    preis gewicht farbe größe höhe breite länge ort stadt land jahr datum gründer leiterin leiter besitzer hersteller
    sitz name nummer standard wert einheit dauer garantie material
    prix poids couleur taille hauteur largeur longueur lieu ville pays année date fondateur directrice directeur
    fabricant siège nom numéro valeur unité durée garantie matière""".split()
)
"""Column names that fit the question "What is the … of …?"."""

_EMPTY_VALUES = frozenset(
    {"", "-", "–", "—", "…", "?", "n/a", "yes", "no", "x", "✓", "✗", "ja", "nein", "oui", "non", "none"}
)
_NUMBERS_ONLY = re.compile(r"[-+±.\d\s%,()\[\]–/·×*]+")
_MAX_LABEL_CHARS = 60
_MAX_VALUE_CHARS = 260


def table_facts(index: int, text: str) -> Iterator[Fact]:
    """Yield a fact for each cell with a usable row name, column name and value."""
    for number, table in enumerate(tables(text)):
        names = Counter(row[0] for row in table.rows)
        for row, span in zip(table.rows, table.spans, strict=True):
            if names[row[0]] == 1 and _is_row_name(row[0]):
                yield from _row_facts(table, row, span, index, f"{index}.{number}")


def _row_facts(
    table: TextTable, row: tuple[str, ...], span: tuple[int, int], index: int, table_id: str
) -> Iterator[Fact]:
    subject, noun = row[0], _row_noun(table.header[0], row[0])
    for column, value in list(zip(table.header, row, strict=True))[1:]:
        if value.casefold() in _EMPTY_VALUES or len(value) > _MAX_VALUE_CHARS or value.endswith(":"):
            continue
        verb, column_id = _VERB_COLUMNS.get(column.casefold()), f"{table_id}.{column}"
        if POINTS_ELSEWHERE.search(value) or points_back(value):
            continue
        clear = noun or verb == "mean" or re.match(r"[A-ZÀ-Þ]", subject)
        if verb and _is_informative(value) and clear:
            yield Fact("verb_cell", index, span, subject, verb, value, table=column_id, noun=noun)
        elif (
            column.casefold() in _ATTRIBUTE_COLUMNS
            and _is_name(subject)
            and not _NUMBERS_ONLY.fullmatch(value)
        ):
            yield Fact("cell", index, span, subject, column, value, table=column_id, noun=noun)


def _is_informative(value: str) -> bool:
    """Return whether a value is more than a number or a participle, such as "sent and read anew"."""
    participle = re.fullmatch(r"(?:[a-z]+ed|sent|read|written)\b(?: \w+){0,3}\.?", value)
    return re.search(r"[^\W\d_]{2}", value) is not None and not participle


def _is_row_name(label: str) -> bool:
    """Return whether a label is the name of one thing."""
    several = label.count("`") > 2 or re.search(r", |^`[^`]+` |/ ", label)  # noqa: PLR2004  (two of a pair)
    fits = len(label) <= _MAX_LABEL_CHARS and not label.endswith(("?", ":", "."))
    return bool(re.search(r"\w", label)) and fits and not several


def _is_name(label: str) -> bool:
    """Return whether a label is code or begins with a capital letter: it is understood without its table."""
    return bool(re.fullmatch(r"`[^`]+`|[A-ZÀ-Þ][\w'’-]*(?: [\w'’-]+){0,5}", label))


def _row_noun(column: str, label: str) -> str:
    """Return the common noun for the rows from the header of the first column; empty if it gives none."""
    plain = column.strip().casefold()
    words = re.fullmatch(r"[a-zà-ÿß]{3,20}(?: [a-zà-ÿß]{3,20})?", plain)
    useless = (
        plain in _VERB_COLUMNS
        or plain.partition(" ")[0] in _NO_NOUN_WORDS
        or plain in label.casefold()
        or plain.endswith("s")
    )
    return plain if words and not useless else ""


_NO_NOUN_WORDS = frozenset(
    "what here where you your case kind set name term word from to for with by".split()
)
"""First words of a column name that give no noun for its rows."""
