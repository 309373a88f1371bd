"""A rubric: the meaning of each score or band of scores."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from ragstone.errors import BadOption

Band = tuple[int, int, str]
Bands = tuple[Band, ...]


def read_rubric(rubric: Sequence[Any], low: int, high: int, owner: str) -> Bands:
    """Return the bands of a rubric, lowest first: `(score, text)`, `((low, high), text)` or `(low, high, text)` each.

    Raises:
        BadOption: a band has another form, exceeds the range or overlaps another.
    """
    bands = sorted(_band(item, owner) for item in rubric)
    for first, last, text in bands:
        if not low <= first <= last <= high:
            raise BadOption(
                f"{owner}: the rubric's {first} to {last} ({text!r}) is not inside {low} to {high}"
            )
    for (_, last, text), (first, _, next_text) in pairwise(bands):
        if first <= last:
            raise BadOption(f"{owner}: the rubric's {text!r} and {next_text!r} overlap at {first}")
    return tuple(bands)


def _band(item: Any, owner: str) -> Band:  # noqa: ANN401  (user input)
    match item:
        case (int(first), int(last), str(text)):
            return first, last, text
        case (int(score), str(text)):
            return score, score, text
        case ((int(first), int(last)), str(text)):
            return first, last, text
        case _:
            shown = cast("object", item)
            raise BadOption(
                f"{owner}: {shown!r} is not a line of a rubric: write (score, 'text') or ((low, high), 'text')"
            )
