"""Names of several words that do not stand where the statement says: "Johann Hesk" where only the quarries are Hesk's.

Compared word by word, such a name may seem half found. Compared as a unit, it is a stranger if no sentence that carries
the statement has any part of it. A name of the evidence with one of the same words beside it, on either side, is the
name that it displaces. On 1,400 rows of the dev split this was seen 12 times, and none of the 12 was supported.
"""

from collections.abc import Iterator

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.text.tokens import WordToken

_BESIDE = 3
"""Tokens on either side of a name that are compared to find the name that it displaces."""


def unmatched_names(found: Alignment, evidence: EvidenceIndex) -> list[slice]:
    """Return the names of several words of which no sentence that carries the statement has any part."""
    near = {stem for sentence in found.closest_sentences for stem in evidence.stems[sentence]}
    return [run for run in found.name_spans if not any(token.stem in near for token in found.tokens[run])]


def displaced_names(found: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the first words of a stranger and of a name in a carrying sentence with one of the same words beside it."""
    for mine in unmatched_names(found, evidence):
        ours = _beside(found.tokens, mine)
        for theirs in evidence.name_spans:
            carried = any(
                place.start <= theirs.start and theirs.stop <= place.stop for place in found.closest_sentences
            )
            fresh = found.stems.isdisjoint(evidence.stems[theirs])
            if carried and fresh and ours & _beside(evidence.tokens, theirs):
                yield found.tokens[mine][0], evidence.tokens[theirs][0]


def _beside(row: tuple[WordToken, ...], run: slice) -> set[str]:
    """Return the stems of the content words on either side of a name."""
    around = (*row[max(0, run.start - _BESIDE) : run.start], *row[run.stop : run.stop + _BESIDE])
    return {token.stem for token in around if is_content_word(token)}
