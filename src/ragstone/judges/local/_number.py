"""Numbers in one spelling, so that "3,800", "3.8 thousand" and "three" can be compared.

A number is read from one token; what stands around it (units, signs) stays a token of its own.
"""

import re

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = [
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_WORDS = (
    {word: str(value) for value, word in enumerate(_UNITS)}
    | {word: str(10 * value) for value, word in enumerate(_TENS, 2)}
    | {word: str(value) for value, word in enumerate(_ORDINALS, 3)}
    | {"hundred": "100", "thousand": "1000", "dozen": "12", "twice": "2", "thrice": "3", "once": "1"}
    | {"million": "1e6", "billion": "1e9", "trillion": "1e12", "half": "0.5", "first": "1", "second": "2"}
)
_GROUPED = re.compile(r"\d{1,3}(?:, ?\d{3})+(?:\.\d+)?")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def read_number(norm: str) -> str | None:
    """Return the one spelling of a number token, or None when it is none.

    Clock times, dates and fractions written with signs keep their digits: "10:30" is "10:30".
    """
    if norm in _WORDS:
        return _WORDS[norm]
    if not norm[:1].isdigit():
        return None
    if _GROUPED.fullmatch(norm):
        norm = norm.replace(",", "").replace(" ", "")
    if not _PLAIN.fullmatch(norm):
        return norm
    whole, _, fraction = norm.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")
