"""Names of several words that do not stand where the statement says: "Johann Hesk" where only the quarries are Hesk's.

Compared word by word, such a name may seem half found. Compared as a unit, it is a stranger if no sentence that carries
the statement has any part of it. A name of the evidence with one of the same words beside it, on either side, is the
name that it displaces. On 1,400 rows of the dev split this was seen 12 times, and none of the 12 was supported.
"""

from collections.abc import Iterator

from ragstone.judges.local.matching.alignment import Alignment, telling
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.text.tokens import WordToken

_BESIDE = 3
"""Tokens on either side of a name that are compared to find the name that it displaces."""


def strangers(found: Alignment, evidence: EvidenceIndex) -> list[slice]:
    """Return the names of several words of which no sentence that carries the statement has any part."""
    near = {stem for sentence in found.carriers for stem in evidence.stems[sentence]}
    return [run for run in found.runs if not any(token.stem in near for token in found.row[run])]


def displaced(found: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the first words of a stranger and of a name in a carrying sentence with one of the same words beside it."""
    for mine in strangers(found, evidence):
        ours = _beside(found.row, mine)
        for theirs in evidence.runs:
            carried = any(
                place.start <= theirs.start and theirs.stop <= place.stop for place in found.carriers
            )
            fresh = found.said.isdisjoint(evidence.stems[theirs])
            if carried and fresh and ours & _beside(evidence.tokens, theirs):
                yield found.row[mine][0], evidence.tokens[theirs][0]


def _beside(row: tuple[WordToken, ...], run: slice) -> set[str]:
    """Return the stems of the content words on either side of a name."""
    around = (*row[max(0, run.start - _BESIDE) : run.start], *row[run.stop : run.stop + _BESIDE])
    return {token.stem for token in around if telling(token)}
