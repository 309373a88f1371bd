"""Numbers, dates and times of several texts in one spelling, so that they can be compared letter by letter.

    1.250,50   1 250,50   1'250.50     1250.50
    2024-03-05   05.03.2024            5 March 2024, 5. März 2024, 5 mars 2024, 5 de marzo de 2024
    14 h 30   14h30   14.30 Uhr        14:30

A single point before three digits ("1.250") is a decimal point, unless the texts are in German, French or Spanish.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ragstone.text.function_words import STOP_WORDS, SUPPORTED_LANGUAGE_WORDS
from ragstone.text.pieces import Piece, PiecedText

_MAY_DIFFER = re.compile(r"\d(?:[.,'’\u00a0\u202f\u2009-]\d| \d{3}|[ \u00a0\u202f]?h[ \u00a0\u202f]?\d)")
_GROUPS = r"\d{1,3}(?:[.\u00a0\u202f\u2009'’]\d{3})"
_UNITS = (
    r"[€$£%°]|EUR|CHF|Euro|euros?|[Mm]io|[Mm]rd|[Mm]illion|pour cent|Prozent|por ciento"
    r"|[kcm]?m\b|[km]?g\b|[lhst]\b"
)
_SPELLING = re.compile(
    rf"""
    (?<![\w.,:/-])(?:
        (?P<year>[12]\d{{3}})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?![\w-])
        |(?P<day_first>0?[1-9]|[12]\d|3[01])\.(?P<month_second>0?[1-9]|1[0-2])\.(?P<year_last>[12]\d{{3}})(?![\w-])
        |(?P<hour>[01]?\d|2[0-3])(?:[ \u00a0\u202f]?h[ \u00a0\u202f]?|\.(?=\d\d[ ]Uhr))(?P<minute>[0-5]\d)(?!\w)
        |(?P<grouped>(?:{_GROUPS}+|\d{{1,3}}(?:[ ]\d{{3}})+)),(?P<cents>\d+)(?![\w,])
        |(?P<millions>{_GROUPS}{{2,}})(?![\w,])
        |(?P<blank_grouped>\d{{1,3}}(?:[\u00a0\u202f\u2009'’]\d{{3}})+)(?:\.(?P<point_cents>\d+))?(?![\w,])
        |(?P<whole>\d{{4,}}),(?P<decimals>\d{{1,2}})(?![\w,])
        |(?P<unit_whole>\d{{1,3}}),(?P<unit_decimals>\d{{1,2}})(?=[ \u00a0\u202f]?(?:{_UNITS}))
        |(?P<local_whole>\d{{1,3}}),(?P<local_decimals>\d{{1,2}})(?![\w,])
        |(?P<thousands>\d{{1,3}}\.\d{{3}})(?![\w.,-]*\d)
        |(?P<spaced>\d{{1,3}}[ ]\d{{3}})(?![\w.,]|[ ]\d)
    )
    """,
    re.VERBOSE,
)
_WHOLES = (
    "grouped", "millions", "blank_grouped", "whole", "unit_whole", "local_whole", "thousands", "spaced",
)  # fmt: skip
_FRACTIONS = ("cents", "point_cents", "decimals", "unit_decimals", "local_decimals")
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
_DATE = {"en": "{} {} {}", "de": "{}. {} {}", "fr": "{} {} {}", "es": "{} de {} de {}"}
_KNOWN_WORDS = {
    language: STOP_WORDS.get(language, frozenset())
    | SUPPORTED_LANGUAGE_WORDS[language]
    | {*names.casefold().split()}
    for language, names in _MONTHS.items()
}
_OWN_WORDS = {
    language: words
    - frozenset[str]().union(*(other for code, other in _KNOWN_WORDS.items() if code != language))
    for language, words in _KNOWN_WORDS.items()
}
_WORD = re.compile(r"[^\W\d_]+")
_MAX_WORDS = 400


def may_be_respelled(text: str) -> bool:
    """Return whether a text may have a number, a date or a time in another spelling; False is certain."""
    return bool(_MAY_DIFFER.search(text))


def language_of_numbers(texts: Sequence[str]) -> str:
    """Return `en`, `de`, `fr` or `es`: the language of texts by its own function words; English if none prevails."""
    words = Counter(word.casefold() for text in texts for word in _WORD.findall(text)[:_MAX_WORDS])
    counts = {
        language: sum(count for word, count in words.items() if word in own)
        for language, own in _OWN_WORDS.items()
    }
    return max(counts, key=lambda language: (counts[language], language == "en"))


def respelled(text: str, language: str) -> PiecedText:
    """Return a text of a language (`language_of_numbers`) with its numbers, dates and times in one spelling."""
    return PiecedText(text, list(_pieces(text, language)))


def _pieces(text: str, language: str) -> Iterator[Piece]:
    position = 0
    for match in _SPELLING.finditer(text):
        if (spelled := _spelled(match, language)) is not None:
            yield Piece(text[position : match.start()], position)
            yield Piece(spelled, match.start(), match.end() - match.start())
            position = match.end()
    yield Piece(text[position:], position)


def _spelled(match: re.Match[str], language: str) -> str | None:
    kind, groups = match.lastgroup, match.groupdict()
    if kind == "day":
        return _date(groups["year"], groups["month"], groups["day"], language)
    if kind == "year_last":
        return _date(groups["year_last"], groups["month_second"], groups["day_first"], language)
    if kind == "minute":
        return f"{groups['hour']}:{groups['minute']}"
    if language == "en" and kind in ("thousands", "spaced", "local_decimals"):
        return None
    return _number(groups)


def _number(groups: Mapping[str, str | None]) -> str:
    whole = next((groups[name] for name in _WHOLES if groups[name]), None) or ""
    fraction = next((groups[name] for name in _FRACTIONS if groups[name]), None)
    return re.sub(r"\D", "", whole) + (f".{fraction}" if fraction else "")


def _date(year: str, month: str, day: str, language: str) -> str:
    return _DATE[language].format(int(day), _MONTHS[language].split()[int(month) - 1], year)
