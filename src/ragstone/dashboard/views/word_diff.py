"""Word-by-word difference of two answers."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_MAX_WORDS = 1_500
"""Words of a text that are compared; the time of the search grows with their square."""


class DiffPart(NamedTuple):
    """Some words.

    Attributes:
        kind: in both texts, or in one alone.
        text: the words.
    """

    kind: Literal["same", "gone", "new"]
    text: str


class WordDiff(NamedTuple):
    """Two texts, each cut where it differs from the other.

    Attributes:
        before: the first.
        after: the second.
        cut: a text is longer than what is shown.
    """

    before: tuple[DiffPart, ...]
    after: tuple[DiffPart, ...]
    cut: bool


def word_diff(before: str, after: str) -> WordDiff:
    """Return where two texts differ, word by word."""
    old, new = _tokens(before), _tokens(after)
    opcodes = SequenceMatcher(None, old[:_MAX_WORDS], new[:_MAX_WORDS], autojunk=False).get_opcodes()
    return WordDiff(
        tuple(_parts(old, [(kind, start, end) for kind, start, end, _, _ in opcodes], "gone")),
        tuple(_parts(new, [(kind, start, end) for kind, _, _, start, end in opcodes], "new")),
        len(old) > _MAX_WORDS or len(new) > _MAX_WORDS,
    )


def _parts(
    tokens: Sequence[str], ranges: Sequence[tuple[str, int, int]], kind: Literal["gone", "new"]
) -> Iterator[DiffPart]:
    for operation, start, end in ranges:
        if start < end:
            yield DiffPart("same" if operation == "equal" else kind, "".join(tokens[start:end]))


def _tokens(text: str) -> list[str]:
    """Return the words, at most one more than are compared, so that a longer text can be recognised."""
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        tokens.append(match.group()[:_MAX_WORDS])
        if len(tokens) > _MAX_WORDS:
            break
    return tokens
