"""Detection of duplicate questions: similar in words or in meaning, with the same names and numbers."""

from typing import TYPE_CHECKING

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.text.words import content_set, names_in
from ragstone.embeddings.local import embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAME_WORDS = 0.8
"""Lowest Jaccard similarity of content words at which two questions with the same names are duplicates."""

SAME_MEANING = 0.92
"""Lowest cosine similarity at which two questions with the same names are duplicates."""


class DuplicateFilter:
    """Compares new questions with the questions kept so far."""

    def __init__(self) -> None:
        """Start without questions."""
        self._kept: list[tuple[DraftCandidate, frozenset[str], frozenset[str]]] = []
        self._vectors: list[NDArray[np.float32]] = []

    def find(self, candidate: DraftCandidate) -> DraftCandidate | None:
        """Return the kept question that a candidate duplicates, or None."""
        text = candidate.asked
        words, names, vector = content_set(text), names_in(text), embed_texts([text])[0]
        for (kept, kept_words, kept_names), kept_vector in zip(self._kept, self._vectors, strict=True):
            if "known_item" in {kept.kind, candidate.kind}:  # search words: each word counts
                if kept.kind == candidate.kind and words == kept_words:
                    return kept
                continue
            same_words = len(words & kept_words) >= SAME_WORDS * len(words | kept_words)
            same_meaning = names == kept_names and float(vector @ kept_vector) >= SAME_MEANING
            if (same_words and names == kept_names) or same_meaning:
                return kept
        return None

    def add(self, candidate: DraftCandidate) -> None:
        """Add a kept question."""
        text = candidate.asked
        self._kept.append((candidate, content_set(text), names_in(text)))
        self._vectors.append(embed_texts([text])[0])

    def replace(self, old: DraftCandidate, new: DraftCandidate) -> None:
        """Replace a kept question with another one."""
        index = next(index for index, (kept, _, _) in enumerate(self._kept) if kept is old)
        del self._kept[index], self._vectors[index]
        self.add(new)
