"""Wording of the questions about named attributes, by language; other questions are worded beside their rules."""

import re
from collections.abc import Mapping

from ragstone.drafts.facts.words import ATTRIBUTES, FOR_ATTRIBUTES, GERUNDS

LANGUAGES = ("en", "de", "fr")
"""The languages in which rules can write."""

_SIZES = re.compile(r"(?:Länge|Breite|Größe|Höhe|Durchmesser)")
_NAMED_VALUES = re.compile(r"(?:Adresse|Ort|Standort|Passwort|Telefonnummer)")
_ROW_NOUNS = frozenset(
    "branch building class department edition floor house line membership model office package plan room size station "
    "store tariff team ticket tier version zone".split()
)
"""Nouns that follow the name of a row: "the North office"."""


def is_attribute(name: str, language: str) -> bool:
    """Return whether the last word of a name is an attribute: "opening hours"."""
    known, words = ATTRIBUTES.get(language, ()), name.split()
    if not words or not re.fullmatch(r"[^\W\d_][^\W\d_’' -]*(?:[ -][^\W\d_]+){0,3}", name):
        return False
    if language == "fr":
        return words[0].casefold() in known and len(words) <= 2  # noqa: PLR2004  ("durée totale")
    if language == "de":
        return name in known
    return words[-1].casefold() in known or words[-1].casefold().removesuffix("s") in known


def article_of(name: str, language: str) -> str:
    """Return the article of an attribute in German and French, with its blank; empty if none is known."""
    known = ATTRIBUTES.get(language, {})
    word = name.split(maxsplit=1)[0].casefold() if language == "fr" else name
    found = known.get(word, "") if isinstance(known, Mapping) else ""
    return f"{found} " if found and language == "de" else found


def ask_attribute(attribute: str, subject: str, language: str, article: str = "") -> str | None:
    """Return the question for an attribute of a subject; None if the language has no wording for it."""
    match language:
        case "en":
            last = attribute.rsplit(maxsplit=1)[-1].casefold()
            link = "for" if last.removesuffix("s") in FOR_ATTRIBUTES else "of"
            return f"What {verb_for(attribute)} the {lower(attribute)} {link} {subject}?"
        case "de" if article:
            ask = "Wie groß ist" if _SIZES.match(attribute) else "Wie hoch ist"
            ask = "Wie lautet" if _NAMED_VALUES.match(attribute) else ask
            return f"{ask} {article.strip().lower()} {attribute} von {subject}?"
        case "fr" if article:
            which = (
                "Quelle"
                if article.strip().lower() == "la" or attribute in {"adresse", "altitude"}
                else "Quel"
            )
            of = "d’" if re.match(r"[aeiouyhéèêàâîôAEIOUYÉÈ]", subject) else "de "
            the = article.lower() if article.endswith(("'", "’", " ")) else f"{article.lower()} "
            return f"{which} est {the}{attribute} {of}{subject} ?"
        case _:
            return None


def ask_price(thing: str, language: str, note: str = "") -> str:
    """Return the question for the price of a thing in a list, as it is named there."""
    noted = f" ({note})" if note else ""
    if language == "de":
        return f"Was kostet „{thing}“{noted}?"
    if language == "fr":
        return f"Combien coûte « {thing} »{noted} ?"
    do = "do" if is_plural(thing.split(" (", maxsplit=1)[0]) else "does"
    return f"How much {do} {definite(thing)}{noted} cost?"


def row_subject(row: str, noun: str, language: str = "en") -> str:
    """Return how a question names the row of a table: "the option `k`", "the North office", "the large service"."""
    if language != "en":  # the article is not known
        quoted = f"« {row} »" if language == "fr" else f"„{row}“"
        return row if re.search(r"[`\d]", row) else quoted
    if "`" in row:
        return f"the {noun} {row}" if noun else row
    if noun in _ROW_NOUNS and noun not in row.casefold():
        return f"the {row if _is_name(row) else lower(row)} {noun}"
    return row if _is_name(row) else definite(row)


def definite(thing: str) -> str:
    """Return a thing of a list with its article: "the large service"; not before a name with digits, or an activity."""
    first = thing.split(maxsplit=1)[0]
    if re.search(r"\d", thing) and _is_name(thing):
        return thing
    if first.casefold() in GERUNDS or re.match(
        r"(?:an?|the|each|every|all|one|two|\d)\b", thing, re.IGNORECASE
    ):
        return lower(thing)
    capitals = re.search(r"[ -][A-ZÀ-Þ]|`", thing)
    return f"the {thing if capitals else lower(thing)}"


def _is_name(thing: str) -> bool:
    """Return whether a thing is code, one capitalised word, or several with capitals or digits."""
    return bool(
        re.fullmatch(r"`[^`]+`|\w*_\w*|[A-ZÀ-Þ][\w'’-]*(?: (?:[A-ZÀ-Þ\d][\w'’-]*|of|the|and|&))*", thing)
    )


def is_plural(thing: str) -> bool:
    """Return whether a name looks like an English plural."""
    return bool(re.search(r"(?<![su'’i])s$", thing))


def verb_for(attribute: str) -> str:
    """Return the verb for an attribute: "are" if it is a plural, else "is"."""
    return "are" if is_plural(attribute) else "is"


def lower(text: str) -> str:
    """Return a text with a small first letter, unless it is an abbreviation or a name in capitals."""
    return (
        text
        if re.match(r".?[A-Z\d]{1,}|I\b", text[1:] or "") and text[1:2].isupper()
        else text[:1].lower() + text[1:]
    )
