"""Parsers of a rating or a yes or no in free text; None if the text is ambiguous.

Patterns of a rating are tried from the most to the least certain: an option's letter that opens the answer; a
number said to be out of the top of the scale; a number of stars; a number after the word score; a number that
opens or ends the text.
"""

import re

_WORDS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_NUMBER = r"(\d+(?:\.\d+)?)"
_LETTER = re.compile(r"^\W*([A-E])\b(?!\s+[a-z])")
_YES = re.compile(r"\W*yes\b", re.IGNORECASE)
_NO = re.compile(r"\W*no\b", re.IGNORECASE)


def read_rating(text: str, low: int = 1, high: int = 5) -> float | None:
    """Return the rating in [low, high] that an answer gives, or None."""
    letter = _LETTER.match(text)
    if letter:
        return float(low + ord(letter[1]) - ord("A"))
    plain = text.lower()
    for word, digit in _WORDS.items():
        plain = re.sub(rf"\b{word}\b", digit, plain)
    patterns = (
        rf"(?<![\d.]){_NUMBER}\s*(?:/|out of)\s*{high}\b",
        rf"(?<![\d.]){_NUMBER}[ -]*stars?\b",
        rf"\b(?:scor(?:es?|ed|ing)|rat(?:es?|ed|ing)|gets|give it)\b[^.\d]{{0,40}}?(?<![\d.]){_NUMBER}",
        rf"(?:^\W*|[.;:!?,][\"')]*\s+|\()(?<![\d.]){_NUMBER}\W*$",
    )
    for pattern in patterns:
        found = [float(number) for number in re.findall(pattern, plain)]
        inside = [number for number in found if low <= number <= high]
        if inside:
            return inside[-1]
    return None


def read_yes(text: str) -> bool | None:
    """Return the yes or no that an answer begins with, or None without one.

    "The candidate is partially correct" or "I cannot determine" is not a decision, and is not read as one.
    """
    if _YES.match(text):
        return True
    return False if _NO.match(text) else None
