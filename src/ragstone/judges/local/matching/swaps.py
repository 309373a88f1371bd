"""Swaps: two words of a statement that match the order of the evidence only after they are exchanged.

"Raw ones cost 20 % more than polished" beside "Polished ones cost 20 % more than raw". A statement that also reverses
the relation ("Raw ones cost less than polished") agrees with the evidence and is not reported.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.subsequence import common_subsequence_length
from ragstone.text.lexicon import is_negation, opposites
from ragstone.text.stemmer import stem
from ragstone.text.tokens import WordToken

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


def exchanged_words(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield each pair of words of the statement that the evidence has in exchanged positions."""
    tokens = alignment.tokens
    if not _MIN_TOKENS <= len(tokens) <= _MAX_TOKENS:
        return
    statement_stems = [token.stem for token in tokens]
    for span in (*alignment.closest_sentences, alignment.best_window):
        evidence_tokens = evidence.tokens[span]
        if len(evidence_tokens) > _MAX_EVIDENCE_TOKENS or _count_negations(tokens) != _count_negations(
            evidence_tokens
        ):
            continue
        evidence_stems = [token.stem for token in evidence_tokens]
        known_stems = set(evidence_stems)
        missing_stems = [stem for stem in statement_stems if stem not in known_stems]
        if len(statement_stems) - len(missing_stems) < _MIN_COVERAGE * len(statement_stems) or any(
            opposites(stem) & known_stems for stem in missing_stems
        ):
            continue
        target_length = (
            common_subsequence_length(statement_stems, evidence_stems) + _EXCHANGE_GAIN
        )  # no exchange gains more
        if not _MIN_COVERAGE * len(statement_stems) <= target_length <= len(statement_stems):
            continue
        for i, j in _candidate_pairs(tokens, known_stems):
            if common_subsequence_length(_exchange(statement_stems, i, j), evidence_stems) == target_length:
                yield tokens[i], tokens[j]


def _count_negations(tokens: Sequence[WordToken]) -> int:
    return sum(is_negation(token.norm) for token in tokens)


def _candidate_pairs(tokens: Sequence[WordToken], known_stems: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the positions of two content words of the evidence, with a third between them: their order matters."""
    positions = [
        i
        for i, token in enumerate(tokens)
        if is_content_word(token) and token.stem in known_stems and not is_negation(token.norm)
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


def _exchange(stems: Sequence[str], i: int, j: int) -> list[str]:
    result = list(stems)
    result[i], result[j] = result[j], result[i]
    return result
