"""Replacements: a sentence that copies the evidence word for word, but for one number or one name.

"The tower was opened in 1887" beside "The tower was opened in 1889". Of 225 such claims of this project and of the
human-labelled sets, 2 were supported.
"""

from collections.abc import Iterator

import numpy as np

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name
from ragstone.judges.local.matching.number_ranges import NumberRanges, exclude_each_other
from ragstone.judges.local.text.tokens import WordToken

_FEWEST = 5
"""Fewest tokens of a sentence; in a shorter one the other words say too little."""
_BOUND = 10
"""Tokens on either side of a number that may bound it: "more than twelve"."""
_ALIKE = 4
"""Letters at the beginning of two names that are inflections of one: "Europe" and "European"."""


def replaced_words(found: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the only number or name in which the sentence differs from a part of the evidence, and the other one.

    A sentence that the evidence also has word for word is not reported.
    """
    row, length = found.tokens, len(found.tokens)
    if not _FEWEST <= length <= len(evidence.stem_ids):
        return
    unlike = np.zeros(len(evidence.stem_ids) - length + 1, np.intp)
    for i, token in enumerate(row):
        known = evidence.id_by_stem.get(token.stem, -1)
        unlike += evidence.stem_ids[i : i + len(unlike)] != known
    if unlike.min() != 1:
        return
    for at in np.flatnonzero(unlike == 1).tolist():
        i = next(i for i, token in enumerate(row) if evidence.stems[at + i] != token.stem)
        in_one_sentence = not any(token.starts_sentence for token in evidence.tokens[at + 1 : at + length])
        if in_one_sentence and _exclude(found, i, evidence, at + i):
            yield row[i], evidence.tokens[at + i]


def _exclude(found: Alignment, i: int, evidence: EvidenceIndex, place: int) -> bool:
    """Whether the i-th word and one of the evidence are two numbers that exclude each other, or two names."""
    mine, theirs = found.tokens[i], evidence.tokens[place]
    if mine.is_number and theirs.is_number:
        before = min(place, _BOUND)
        there = NumberRanges(evidence.tokens[place - before : place + _BOUND])
        return exclude_each_other(NumberRanges(found.tokens), i, there, before)
    names = (
        is_name(mine, evidence)
        and is_name(theirs, evidence)
        and is_content_word(mine)
        and is_content_word(theirs)
    )
    return names and mine.norm[:_ALIKE] != theirs.norm[:_ALIKE]
