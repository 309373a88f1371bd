"""Swaps: two words of a statement which, if they are exchanged, make it match the evidence word for word.

"Raw ones cost 20 % more than polished" beside "Polished ones cost 20 % more than raw". A statement that also reverses
the relation ("Raw ones cost less than polished") agrees with the evidence and is not reported.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.roles import SYMMETRIC_WORDS
from ragstone.judges.local.matching.subsequence import common_subsequence_length
from ragstone.judges.local.text.lexicon import is_negation, opposites
from ragstone.judges.local.text.tokens import WordToken

_COVERED = 0.8
"""Share of the statement that the evidence must have, in the same order, after the exchange."""
_GAINED = 2
"""Number of words that follow the order of the evidence only after the exchange: both of them."""
_FEWEST, _MOST = 4, 40
"""Fewest and most tokens of a statement: a shorter one says too little, a longer one is a list."""
_LONGEST = 90
"""Most tokens of evidence that a statement is compared with."""


def exchanged_words(found: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield each pair of words of the statement that the evidence has in exchanged places."""
    row = found.tokens
    if not _FEWEST <= len(row) <= _MOST:
        return
    mine = [token.stem for token in row]
    for place in (*found.closest_sentences, found.best_window):
        near = evidence.tokens[place]
        if len(near) > _LONGEST or _denials(row) != _denials(near):
            continue
        theirs = [token.stem for token in near]
        known = set(theirs)
        new = [stem for stem in mine if stem not in known]
        if len(mine) - len(new) < _COVERED * len(mine) or any(opposites(stem) & known for stem in new):
            continue
        wanted = common_subsequence_length(mine, theirs) + _GAINED  # no exchange gains more
        if not _COVERED * len(mine) <= wanted <= len(mine):
            continue
        for i, j in _pairs(row, known):
            if common_subsequence_length(_exchanged(mine, i, j), theirs) == wanted:
                yield row[i], row[j]


def _denials(row: Sequence[WordToken]) -> int:
    return sum(is_negation(token.norm) for token in row)


def _pairs(row: Sequence[WordToken], known: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of two content words, known to the evidence, with a third between them: their order matters."""
    places = [
        i
        for i, token in enumerate(row)
        if is_content_word(token) and token.stem in known and not is_negation(token.norm)
    ]
    for i, j in combinations(places, 2):
        between = row[i + 1 : j]
        alike = row[i].stem == row[j].stem or row[i].is_number != row[j].is_number
        if (
            not alike
            and any(map(is_content_word, between))
            and not SYMMETRIC_WORDS & {token.stem for token in between}
        ):
            yield i, j


def _exchanged(stems: Sequence[str], i: int, j: int) -> list[str]:
    made = list(stems)
    made[i], made[j] = made[j], made[i]
    return made
