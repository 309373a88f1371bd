"""What a set covers: documents and topics with a question, and passages that some question is near to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.record import KeptQuestion

NEAR = 0.6
"""Cosine from which on a passage counts as near to the evidence of a question."""

TOO_EASY = 0.9
"""Share of questions whose evidence BM25 ranks first, from which on a set tells retrievers apart badly."""


@dataclass(frozen=True, slots=True)
class CoverageLine:
    """A document or a topic.

    Attributes:
        name: the document, or the words of the topic.
        passages: how many passages it has.
        questions: how many questions have evidence in it.
    """

    name: str
    passages: int
    questions: int


@dataclass(frozen=True)
class DraftCoverage:
    """What a set covers of its corpus.

    Attributes:
        documents: the documents, in order.
        topics: the topics, in order.
        near: share of the passages that are near to the evidence of a question.
        bm25_first: share of the answerable questions with a relevant passage first under BM25; None without any.
        bm25_ranks: how many questions have their best relevant passage at rank 1, 2-5, 6-20, below, or nowhere.
    """

    documents: tuple[CoverageLine, ...]
    topics: tuple[CoverageLine, ...]
    near: float
    bm25_first: float | None
    bm25_ranks: dict[str, int]

    @property
    def too_easy(self) -> bool:
        """Whether BM25 alone finds nearly everything first."""
        return self.bm25_first is not None and self.bm25_first > TOO_EASY

    @property
    def covered_documents(self) -> int:
        """How many documents have a question."""
        return sum(line.questions > 0 for line in self.documents)

    @property
    def covered_topics(self) -> int:
        """How many topics have a question."""
        return sum(line.questions > 0 for line in self.topics)

    def stored(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {
            "documents": [self.covered_documents, len(self.documents)],
            "topics": [self.covered_topics, len(self.topics)],
            "near": round(self.near, 4),
            "bm25_first": self.bm25_first,
            "bm25_ranks": self.bm25_ranks,
        }


def measure_coverage(kept: Sequence[KeptQuestion], index: CorpusIndex) -> DraftCoverage:
    """Return what the questions cover."""
    asked = [set(one.candidate.passages) for one in kept]
    documents = Counter(passage.document for passage in index.passages)
    of_document = Counter(name for one in asked for name in {index.passages[place].document for place in one})
    topics = Counter(index.topics)
    of_topic = Counter(topic for one in asked for topic in {index.topics[place] for place in one})
    ranks = [_rank(one, index) for one in kept if one.candidate.answerable]
    return DraftCoverage(
        tuple(CoverageLine(name, documents[name], of_document[name]) for name in sorted(documents)),
        tuple(
            CoverageLine(index.topic_names[topic], topics[topic], of_topic[topic]) for topic in sorted(topics)
        ),
        _share_near(asked, index),
        sum(rank == 1 for rank in ranks) / len(ranks) if ranks else None,
        _by_rank(ranks),
    )


def _share_near(asked: Sequence[set[int]], index: CorpusIndex) -> float:
    import numpy as np  # noqa: PLC0415

    evidence = sorted(set[int]().union(*asked))
    if not evidence:
        return 0.0
    near = np.zeros(len(index.passages), bool)
    for begin in range(0, len(evidence), 256):  # in parts: memory does not grow with the set
        part = index.vectors[evidence[begin : begin + 256]]
        near |= (index.vectors @ part.T).max(axis=1) >= NEAR
    return float(near.mean())


def _rank(one: KeptQuestion, index: CorpusIndex) -> int | None:
    text = one.candidate.question
    if one.candidate.opening:
        text = f"{one.candidate.opening[0]} {text}"
    ranks = [index.bm25.rank(text, place) for place in (*one.candidate.passages, *one.others)]
    found = [rank for rank in ranks if rank is not None]
    return min(found) if found else None


_BANDS = (("1", 1), ("2-5", 5), ("6-20", 20))


def _by_rank(ranks: Sequence[int | None]) -> dict[str, int]:
    found = {**{name: 0 for name, _ in _BANDS}, "below 20": 0, "not found": 0}
    for rank in ranks:
        name = (
            "not found" if rank is None else next((name for name, most in _BANDS if rank <= most), "below 20")
        )
        found[name] += 1
    return found
