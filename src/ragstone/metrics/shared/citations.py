"""Citation markers of a text: which numbers it cites, and which sentence cites which. Pure.

A marker is a number in square brackets, such as [2]; [1, 3] and [1-3] are several. A number of more than three digits
is a year, not a marker. A marker after a full stop belongs to the sentence that the stop ends.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.text.sentences import sentences

_MARKER = re.compile(r"\[(\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3})*)\]")
_RANGE = re.compile(r"(\d+)\s*[\u2013-]\s*(\d+)")
_MARKERS_AFTER_STOP = re.compile(
    r"(?<![.!?…])([.!?…]++[\"'”\u2019)]*+)((?:[ \t]?\[\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,20}\])+)(?=\s|$)"
)


class CitedSentence(NamedTuple):
    """A sentence without its markers, and the numbers it cites.

    Attributes:
        text: the sentence.
        numbers: the numbers of its markers, each once, in order.
    """

    text: str
    numbers: tuple[int, ...]

    def marked(self, passages: int) -> str:
        """Return the sentence, followed by its markers with numbers from 1 to `passages`."""
        markers = "".join(f"[{number}]" for number in self.in_range(passages))
        return f"{self.text} {markers}" if markers else self.text

    def in_range(self, passages: int) -> tuple[int, ...]:
        """Return the cited numbers from 1 to `passages`."""
        return tuple(number for number in self.numbers if 1 <= number <= passages)


def cited_numbers(text: str) -> list[int]:
    """Return the numbers of all citation markers in a text, in order."""
    numbers: list[int] = []
    for marker in _MARKER.finditer(text):
        for part in re.split(r"[,;]", marker[1]):
            match = _RANGE.fullmatch(part.strip())
            first, last = (int(match[1]), int(match[2])) if match else (int(part), int(part))
            numbers.extend(range(first, last + 1) if first <= last else [first, last])
    return numbers


def cited_sentences(text: str) -> tuple[CitedSentence, ...]:
    """Return the sentences of a text with the numbers that each cites; sentences without a word are left out."""
    reordered = _MARKERS_AFTER_STOP.sub(r"\2\1", text)
    cited: list[CitedSentence] = []
    for start, end in sentences(reordered):
        numbers = tuple(dict.fromkeys(cited_numbers(reordered[start:end])))
        plain = without_markers(reordered[start:end])
        if any(character.isalnum() for character in plain):
            cited.append(CitedSentence(plain, numbers))
        elif cited and numbers:  # markers on a line of their own
            cited[-1] = cited[-1]._replace(numbers=tuple(dict.fromkeys((*cited[-1].numbers, *numbers))))
    return tuple(cited)


def without_markers(text: str) -> str:
    """Return a text without its citation markers and the blanks they leave."""
    bare = " ".join(_MARKER.sub(" ", text).split())
    return re.sub(r"\s+([.,;:!?…])", r"\1", bare)


def marked_texts(found: Sequence[CitedSentence], passages: int) -> tuple[str, ...]:
    """Return the sentences as shown to a judge, each with its markers that refer to a passage."""
    return tuple(sentence.marked(passages) for sentence in found)
