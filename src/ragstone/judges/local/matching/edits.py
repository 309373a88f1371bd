"""Edits: a sentence that copies the evidence word for word, except for one number or name, or two exchanged words.

"The tower was opened in 1887" beside "The tower was opened in 1889". Of 225 such claims of this project and of the
human-labelled sets, 2 were supported.

"Raw ones cost 20 % more than polished" beside "Polished ones cost 20 % more than raw": two words match the order of the
evidence only after they are exchanged. A statement that also reverses the relation ("Raw ones cost less than polished")
agrees with the evidence and is not reported.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name
from ragstone.judges.local.matching.number_ranges import NumberRanges, exclude_each_other
from ragstone.text.lexicon import is_negation, opposites
from ragstone.text.stemmer import stem
from ragstone.text.tokens import WordToken

_MIN_REPLACED_TOKENS = 5
"""Minimum number of tokens of a sentence with another number or name; in a shorter one too few other words agree."""
_CONTEXT_TOKENS = 10
"""Number of tokens on either side of a number that may make it a bound: "more than twelve"."""
_PREFIX_LENGTH = 4
"""Length of the common prefix of two names that are forms of one name: "Europe" and "European"."""
_SYMMETRIC_STEMS = frozenset(map(stem, (
    "married", "marry", "met", "meets", "merged", "merges", "equals", "borders", "bordered", "resembles", "adjoins",
    "faces", "fought", "played", "plays", "talked", "shares", "shared", "touches", "between", "accompanied", "drew",
)))  # fmt: skip
"""Stems of symmetric words: the names on their two sides may be exchanged."""
_MIN_COVERAGE = 0.8
"""Minimum share of the statement that the evidence has, in the same order, after the exchange."""
_EXCHANGE_GAIN = 2
"""Number of words that follow the order of the evidence only after the exchange: both of them."""
_MIN_TOKENS, _MAX_TOKENS = 4, 40
"""Minimum and maximum number of tokens of a statement: a shorter one says too little, a longer one is a list."""
_MAX_EVIDENCE_TOKENS = 90
"""Maximum number of tokens of evidence that a statement is compared with."""


def replaced_words(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the only number or name in which the sentence differs from a part of the evidence, and the other one.

    A sentence that the evidence also has word for word is not reported.
    """
    tokens, length = alignment.tokens, len(alignment.tokens)
    if not _MIN_REPLACED_TOKENS <= length <= len(evidence.stem_ids):
        return
    mismatches = np.zeros(len(evidence.stem_ids) - length + 1, np.intp)
    for i, token in enumerate(tokens):
        stem_id = evidence.id_by_stem.get(token.stem, -1)
        mismatches += evidence.stem_ids[i : i + len(mismatches)] != stem_id
    if mismatches.min() != 1:
        return
    for start in np.flatnonzero(mismatches == 1).tolist():
        i = next(i for i, token in enumerate(tokens) if evidence.stems[start + i] != token.stem)
        others = evidence.tokens[start + 1 : start + length]
        if not any(token.starts_sentence for token in others) and _are_exclusive(
            alignment, i, evidence, start + i
        ):
            yield tokens[i], evidence.tokens[start + i]


def _are_exclusive(alignment: Alignment, i: int, evidence: EvidenceIndex, position: int) -> bool:
    """Whether the i-th word and one of the evidence are numbers that exclude each other, or two different names."""
    statement_word, evidence_word = alignment.tokens[i], evidence.tokens[position]
    if statement_word.is_number and evidence_word.is_number:
        tokens_before = min(position, _CONTEXT_TOKENS)
        evidence_ranges = NumberRanges(evidence.tokens[position - tokens_before : position + _CONTEXT_TOKENS])
        return exclude_each_other(NumberRanges(alignment.tokens), i, evidence_ranges, tokens_before)
    words = (statement_word, evidence_word)
    both_names = all(is_name(word, evidence) and is_content_word(word) for word in words)
    return both_names and statement_word.norm[:_PREFIX_LENGTH] != evidence_word.norm[:_PREFIX_LENGTH]


def exchanged_words(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield each pair of words of the statement that the evidence has in exchanged positions."""
    tokens = alignment.tokens
    if not _MIN_TOKENS <= len(tokens) <= _MAX_TOKENS:
        return
    stems = [token.stem for token in tokens]
    for span in (*alignment.closest_sentences, alignment.best_window):
        evidence_tokens, evidence_stems = evidence.tokens[span], list(evidence.stems[span])
        if len(evidence_stems) > _MAX_EVIDENCE_TOKENS or _negations(tokens) != _negations(evidence_tokens):
            continue
        known = set(evidence_stems)
        missing = [stem for stem in stems if stem not in known]
        if len(stems) - len(missing) < _MIN_COVERAGE * len(stems) or any(
            opposites(stem) & known for stem in missing
        ):
            continue
        target = common_subsequence_length(stems, evidence_stems) + _EXCHANGE_GAIN  # no exchange gains more
        if not _MIN_COVERAGE * len(stems) <= target <= len(stems):
            continue
        for i, j in _candidate_pairs(tokens, known):
            exchanged = stems.copy()
            exchanged[i], exchanged[j] = exchanged[j], exchanged[i]
            if common_subsequence_length(exchanged, evidence_stems) == target:
                yield tokens[i], tokens[j]


def _negations(tokens: Sequence[WordToken]) -> int:
    return sum(is_negation(token.norm) for token in tokens)


def _candidate_pairs(tokens: Sequence[WordToken], known: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the positions of two content words of the evidence, with a third between them: their order matters."""
    positions = [
        i
        for i, token in enumerate(tokens)
        if is_content_word(token) and token.stem in known and not is_negation(token.norm)
    ]
    for i, j in combinations(positions, 2):
        between = tokens[i + 1 : j]
        excluded = tokens[i].stem == tokens[j].stem or tokens[i].is_number != tokens[j].is_number
        if (
            not excluded
            and any(map(is_content_word, between))
            and not _SYMMETRIC_STEMS & {token.stem for token in between}
        ):
            yield i, j


def common_subsequence_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return how many words two texts have in common in the same order.

    Bit-parallel (Hyyrö, Bit-parallel LCS-length computation revisited, 2004): one step for each word of the first text.
    """
    masks: dict[str, int] = {}
    for position, word in enumerate(second):
        masks[word] = masks.get(word, 0) | 1 << position
    all_bits = (1 << len(second)) - 1
    unmatched = all_bits
    for word in first:
        matched = unmatched & masks.get(word, 0)
        unmatched = (unmatched + matched | unmatched - matched) & all_bits
    return len(second) - unmatched.bit_count()
