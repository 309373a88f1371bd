"""Replacements: a sentence that copies the evidence word for word, except for one number or one name.

"The tower was opened in 1887" beside "The tower was opened in 1889". Of 225 such claims of this project and of the
human-labelled sets, 2 were supported.
"""

from collections.abc import Iterator

import numpy as np

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name
from ragstone.judges.local.matching.number_ranges import NumberRanges, exclude_each_other
from ragstone.text.tokens import WordToken

_MIN_TOKENS = 5
"""Minimum number of tokens of a sentence; in a shorter one too few other words agree."""
_CONTEXT_TOKENS = 10
"""Number of tokens on either side of a number that may make it a bound: "more than twelve"."""
_PREFIX_LENGTH = 4
"""Length of the common prefix of two names that are forms of one name: "Europe" and "European"."""


def replaced_words(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the only number or name in which the sentence differs from a part of the evidence, and the other one.

    A sentence that the evidence also has word for word is not reported.
    """
    tokens, length = alignment.tokens, len(alignment.tokens)
    if not _MIN_TOKENS <= length <= len(evidence.stem_ids):
        return
    mismatches = np.zeros(len(evidence.stem_ids) - length + 1, np.intp)
    for i, token in enumerate(tokens):
        stem_id = evidence.id_by_stem.get(token.stem, -1)
        mismatches += evidence.stem_ids[i : i + len(mismatches)] != stem_id
    if mismatches.min() != 1:
        return
    for start in np.flatnonzero(mismatches == 1).tolist():
        i = next(i for i, token in enumerate(tokens) if evidence.stems[start + i] != token.stem)
        in_one_sentence = not any(
            token.starts_sentence for token in evidence.tokens[start + 1 : start + length]
        )
        if in_one_sentence and _are_exclusive(alignment, i, evidence, start + i):
            yield tokens[i], evidence.tokens[start + i]


def _are_exclusive(alignment: Alignment, i: int, evidence: EvidenceIndex, position: int) -> bool:
    """Whether the i-th word and one of the evidence are numbers that exclude each other, or two different names."""
    statement_word, evidence_word = alignment.tokens[i], evidence.tokens[position]
    if statement_word.is_number and evidence_word.is_number:
        tokens_before = min(position, _CONTEXT_TOKENS)
        evidence_ranges = NumberRanges(evidence.tokens[position - tokens_before : position + _CONTEXT_TOKENS])
        return exclude_each_other(NumberRanges(alignment.tokens), i, evidence_ranges, tokens_before)
    both_names = (
        is_name(statement_word, evidence)
        and is_name(evidence_word, evidence)
        and is_content_word(statement_word)
        and is_content_word(evidence_word)
    )
    return both_names and statement_word.norm[:_PREFIX_LENGTH] != evidence_word.norm[:_PREFIX_LENGTH]
