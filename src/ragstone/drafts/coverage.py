"""Coverage of a test set: documents and topics with a question, and passages near the evidence of a question."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ragstone.drafts.checks.outcome import CheckedCandidate
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.record import best_rank

G = TypeVar("G", bound=Hashable)

NEAR = 0.6
"""Lowest cosine similarity at which a passage counts as near to the evidence of a question."""

TOO_EASY = 0.9
"""Above this share of answerable questions that BM25 answers at rank 1, a set hardly separates retrievers."""


@dataclass(frozen=True, slots=True)
class CoverageLine:
    """Coverage of one document or topic.

    Attributes:
        name: the document, or the words of the topic.
        passages: number of its passages.
        questions: number of questions with evidence in it.
        near: number of its passages that are near to the evidence of a question.
    """

    name: str
    passages: int
    questions: int
    near: int


@dataclass(frozen=True)
class DraftCoverage:
    """Coverage of the corpus by a test set.

    Attributes:
        documents: the documents, in order.
        topics: the topics, in order.
        bm25_ranks: number of answerable questions whose best relevant passage has the BM25 rank 1, 2-5, 6-20, below 20,
            or is not found.
    """

    documents: tuple[CoverageLine, ...]
    topics: tuple[CoverageLine, ...]
    bm25_ranks: dict[str, int]

    @property
    def near(self) -> float:
        """Share of the passages that are near to the evidence of a question."""
        return sum(line.near for line in self.documents) / sum(line.passages for line in self.documents)

    @property
    def bm25_first(self) -> float | None:
        """Share of the answerable questions with a relevant passage first under BM25; None without any."""
        answerable = sum(self.bm25_ranks.values())
        return self.bm25_ranks[FIRST] / answerable if answerable else None

    @property
    def too_easy(self) -> bool:
        """Whether BM25 ranks a relevant passage first for more than 90 % of the answerable questions."""
        return self.bm25_first is not None and self.bm25_first > TOO_EASY

    @property
    def covered_documents(self) -> int:
        """Number of documents with a question."""
        return sum(line.questions > 0 for line in self.documents)

    @property
    def covered_topics(self) -> int:
        """Number of topics with a question."""
        return sum(line.questions > 0 for line in self.topics)


def measure_coverage(kept: Sequence[CheckedCandidate], index: CorpusIndex) -> DraftCoverage:
    """Return the coverage of the kept questions."""
    evidence = [set(question.candidate.passages) for question in kept]
    near = _near_evidence(set[int]().union(*evidence), index)
    documents = _group_counts([passage.document for passage in index.passages], evidence, near)
    topics = _group_counts(index.topics, evidence, near)
    ranks = [best_rank(question, index) for question in kept if question.candidate.answerable]
    return DraftCoverage(
        tuple(CoverageLine(name, *documents[name]) for name in sorted(documents)),
        tuple(CoverageLine(index.topic_names[topic], *topics[topic]) for topic in sorted(topics)),
        _count_by_rank(ranks),
    )


def _group_counts(
    group_of: Sequence[G], evidence: Sequence[set[int]], near: frozenset[int]
) -> dict[G, tuple[int, int, int]]:
    """Return passages, questions and near passages of each group, from the group of each passage."""
    passages = Counter(group_of)
    questions = Counter(group for indices in evidence for group in {group_of[index] for index in indices})
    covered = Counter(group_of[index] for index in near)
    return {group: (passages[group], questions[group], covered[group]) for group in passages}


def _near_evidence(evidence: set[int], index: CorpusIndex) -> frozenset[int]:
    import numpy as np  # noqa: PLC0415

    ordered = sorted(evidence)
    near = np.zeros(len(index.passages), bool)
    for begin in range(0, len(ordered), 256):  # in batches, so that memory does not grow with the set
        part = index.vectors[ordered[begin : begin + 256]]
        near |= (index.vectors @ part.T).max(axis=1) >= NEAR
    return frozenset(map(int, np.flatnonzero(near)))


FIRST = "1"
_RANK_BANDS = ((FIRST, 1), ("2-5", 5), ("6-20", 20))


def _count_by_rank(ranks: Sequence[int | None]) -> dict[str, int]:
    counts = {**{name: 0 for name, _ in _RANK_BANDS}, "below 20": 0, "not found": 0}
    for rank in ranks:
        bands = (name for name, most in _RANK_BANDS if rank is not None and rank <= most)
        counts[next(bands, "not found" if rank is None else "below 20")] += 1
    return counts
