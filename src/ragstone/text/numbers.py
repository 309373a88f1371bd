"""Numbers in a normalised spelling, so that "3,800", "3.8 thousand" and "three" can be compared.

A number is read from one token; units and symbols around it remain separate tokens.
"""

import re

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
MAGNITUDES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "bn": 10**9,
}
"""Words that multiply the number before them."""


_NUMBER_BY_WORD = {
    **{
        word: str(start + step * i)
        for words, start, step in ((_UNITS, 0, 1), (_TENS, 20, 10), (_ORDINALS, 1, 1))
        for i, word in enumerate(words.split())
    },
    "dozen": "12",
    "once": "1",
    "twice": "2",
    "half": "0.5",
    **{word: str(size) for word, size in MAGNITUDES.items()},
}
_GROUPED = re.compile(r"\d{1,3}(?:, ?\d{3})+(?:\.\d+)?")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def read_number(norm: str) -> str | None:
    """Return the normalised spelling of a number token, or None if it is not a number.

    Clock times, dates and fractions written with symbols keep their digits: "10:30" is "10:30".
    """
    if norm in _NUMBER_BY_WORD:
        return _NUMBER_BY_WORD[norm]
    if not norm[:1].isdigit():
        return None
    if _GROUPED.fullmatch(norm):
        norm = norm.replace(",", "").replace(" ", "")
    if not _PLAIN.fullmatch(norm):
        return norm
    whole, _, fraction = norm.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def multiply_number(number: str, magnitude: int) -> str:
    """Return the normalised spelling of a number times a magnitude: "3.8" and 1000 give "3800"."""
    value = round(float(number) * magnitude, 6)
    return str(int(value)) if value.is_integer() else str(value)
