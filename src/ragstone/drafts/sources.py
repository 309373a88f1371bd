"""Sources of candidates: rules that extract facts, or a judge. Both provide slots in the order of the plan."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

from ragstone.drafts.candidate import KINDS, DraftCandidate, QuestionKind
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.plan import sampling_order
from ragstone.drafts.questions.write import write_by_rules

S = TypeVar("S")


class QuestionSource(Protocol, Generic[S]):
    """Provides slots by kind, and writes a candidate for a slot."""

    def slots(self) -> Mapping[QuestionKind, Sequence[S]]:
        """Return the slots of each kind in the order in which they are tried."""
        ...

    async def write(self, slot: S) -> DraftCandidate | None:
        """Return the candidate of a slot, or None where none could be written."""
        ...


class RuleSource:
    """Candidates written by rules. Each slot is a candidate."""

    def __init__(self, index: CorpusIndex, seed: int, withheld: frozenset[int] = frozenset()) -> None:
        """Write questions about the corpus; those about `withheld` passages become unanswerable."""
        self._index = index
        self._seed = seed
        self._withheld = withheld

    def slots(self) -> Mapping[QuestionKind, Sequence[DraftCandidate]]:
        """Return the candidates by kind, in the plan's order."""
        groups: defaultdict[QuestionKind, list[DraftCandidate]] = defaultdict(list)
        for candidate in write_by_rules(self._index):
            included = _withhold(candidate, self._withheld)
            if included is not None:
                groups[included.kind].append(included)
        return {
            kind: sampling_order(groups[kind], lambda item: item.evidence[0].passage, self._index, self._seed)
            for kind in KINDS
        }

    async def write(self, slot: DraftCandidate) -> DraftCandidate:
        """Return the candidate."""
        return slot


def _withhold(candidate: DraftCandidate, withheld: frozenset[int]) -> DraftCandidate | None:
    """Return the candidate if no passage is withheld, an unanswerable one if all are and it has an answer."""
    hidden = [passage in withheld for passage in candidate.passages]
    if not any(hidden):
        return candidate
    if not all(hidden) or not candidate.facts:
        return None
    return replace(candidate, kind="unanswerable", answer="", withheld=True)
