"""Rough questions, as typed in a hurry: key words without capitals, one of them misspelt. Made from kept questions."""

import random
import re
from dataclasses import replace

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.text.words import content_set, names_in, stems_of
from ragstone.text.function_words import STOP_WORDS

_MIN_LETTERS = 5
_MIN_WORDS = 3
"""Minimum number of words of a query, since fewer match too much. All but one of this number must be
content words outside of code."""


def make_rough(candidate: DraftCandidate, seed: int) -> DraftCandidate | None:
    """Return a question as key words, with two letters of one word swapped; None if too few words are left."""
    rng = random.Random(f"{seed}:{candidate.key}")  # noqa: S311  (reproducible choice, no secret)
    stop = frozenset[str]().union(*STOP_WORDS.values()) - {"how", "when"}
    words = [
        word for word in re.findall(r"`[^`]+`|[\w’'.-]+", candidate.question) if word.casefold() not in stop
    ]
    words = [word if word.startswith("`") else word.casefold().strip(".") for word in words]
    names = names_in(candidate.question)
    positions = [
        position
        for position, word in enumerate(words)
        if word.isalpha() and len(word) >= _MIN_LETTERS and stems_of(word)[0] not in names
    ]
    plain = " ".join(word for word in words if not word.startswith("`"))
    if len(words) < _MIN_WORDS or len(content_set(plain)) < _MIN_WORDS - 1:
        return None
    if positions:
        position = rng.choice(positions)
        words[position] = _swap_letters(words[position], rng)
    rough = " ".join(word.strip("`") for word in words)
    return replace(candidate, kind="rough", question=rough, method=f"{candidate.method}+rough")


def _swap_letters(word: str, rng: random.Random) -> str:
    positions = [position for position in range(1, len(word) - 2) if word[position] != word[position + 1]]
    if not positions:
        return word
    position = rng.choice(positions)
    return word[:position] + word[position + 1] + word[position] + word[position + 2 :]
