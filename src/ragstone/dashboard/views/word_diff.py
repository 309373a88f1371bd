"""Word-by-word difference of two answers."""

import re
from difflib import SequenceMatcher
from itertools import islice
from typing import Literal, NamedTuple

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_MAX_WORDS = 1_500  # words of a text that are compared; the time of the search grows with their square


class DiffPart(NamedTuple):
    """Some words that are in both texts, or in one alone."""

    kind: Literal["same", "gone", "new"]
    text: str


class WordDiff(NamedTuple):
    """Two texts, each cut where it differs from the other; `cut`: one is longer than what is shown."""

    before: tuple[DiffPart, ...]
    after: tuple[DiffPart, ...]
    cut: bool


def word_diff(before: str, after: str) -> WordDiff:
    """Return where two texts differ, word by word."""
    old, new = _tokens(before), _tokens(after)
    matcher = SequenceMatcher(None, old[:_MAX_WORDS], new[:_MAX_WORDS], autojunk=False)
    gone: list[DiffPart] = []
    came: list[DiffPart] = []
    for kind, was, was_end, now, now_end in matcher.get_opcodes():
        if was < was_end:
            gone.append(DiffPart("same" if kind == "equal" else "gone", "".join(old[was:was_end])))
        if now < now_end:
            came.append(DiffPart("same" if kind == "equal" else "new", "".join(new[now:now_end])))
    return WordDiff(tuple(gone), tuple(came), len(old) > _MAX_WORDS or len(new) > _MAX_WORDS)


def _tokens(text: str) -> list[str]:
    """Return the words, at most one more than are compared, so that a longer text can be recognised."""
    matches = islice(_TOKEN.finditer(text), _MAX_WORDS + 1)
    return [match.group()[:_MAX_WORDS] for match in matches]
