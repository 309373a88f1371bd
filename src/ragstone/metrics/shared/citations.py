"""The sentences of a text with the numbers that each cites. Pure.

A marker (`ragstone.text.citation_markers`) after a full stop belongs to the sentence that the stop ends.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.text.citation_markers import CitationMarker, citation_markers, definition_spans
from ragstone.text.sentences import sentences


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
    return [number for marker in citation_markers(text) for number in marker.numbers]


def cited_sentences(text: str) -> tuple[CitedSentence, ...]:
    """Return the sentences of a text with the numbers that each cites; sentences without a word are left out."""
    for start, end in reversed(definition_spans(text)):
        text = text[:start] + text[end:]
    markers = list(citation_markers(text))
    bare, places = _without_markers(text, markers)
    spans = [(start, end) for start, end in sentences(bare) if any(map(str.isalnum, bare[start:end]))]
    numbers: list[dict[int, None]] = [{} for _ in spans]
    for marker, place in zip(markers, places, strict=True):
        if spans:
            numbers[_sentence_at(bare, spans, place)].update(dict.fromkeys(marker.numbers))
    return tuple(
        CitedSentence(" ".join(bare[start:end].split()), tuple(cited))
        for (start, end), cited in zip(spans, numbers, strict=True)
    )


def _without_markers(text: str, markers: Sequence[CitationMarker]) -> tuple[str, list[int]]:
    """Return a text without the markers that no sentence needs, and the place of each marker in it."""
    pieces: list[str] = []
    places: list[int] = []
    position = length = 0
    for marker in markers:
        pieces.append(text[position : marker.end if marker.is_noun else marker.start])
        length += len(pieces[-1])
        places.append(length)
        position = marker.end
    return "".join([*pieces, text[position:]]), places


def _sentence_at(bare: str, spans: Sequence[tuple[int, int]], place: int) -> int:
    """Return the index of the sentence that a marker belongs to: the one that it stands in, or right after."""
    following = bisect_left(spans, (place, 0))
    if following == len(spans) or (following and place <= spans[following - 1][1]):
        return max(0, following - 1)
    begins_line = not bare[bare.rfind("\n", 0, place) + 1 : spans[following][0]].strip()
    return following if not following or begins_line else following - 1
