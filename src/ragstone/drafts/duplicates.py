"""Duplicates among the questions that are kept: alike in words or in meaning, and about the same names and numbers."""

from typing import TYPE_CHECKING

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.text.words import content_set, names_in
from ragstone.embeddings.local import embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAME_WORDS = 0.8
"""Jaccard similarity of content words from which on two questions are duplicates."""

SAME_MEANING = 0.92
"""Cosine from which on two questions are duplicates, if they also name the same things."""


class DuplicateFilter:
    """The questions kept so far, to compare new ones with."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: list[tuple[DraftCandidate, frozenset[str], frozenset[str]]] = []
        self._vectors: list[NDArray[np.float32]] = []

    def find(self, candidate: DraftCandidate) -> DraftCandidate | None:
        """Return the kept question that a candidate duplicates, or None."""
        text = candidate.asked
        words, names, vector = content_set(text), names_in(text), embed_texts([text])[0]
        for (kept, kept_words, kept_names), kept_vector in zip(self._kept, self._vectors, strict=True):
            if (kept.kind == "rough") != (candidate.kind == "rough"):
                continue  # a rough question repeats a kept one on purpose
            alike = len(words & kept_words) >= SAME_WORDS * len(words | kept_words)
            near = names == kept_names and float(vector @ kept_vector) >= SAME_MEANING
            if (alike and names == kept_names) or near:
                return kept
        return None

    def add(self, candidate: DraftCandidate) -> None:
        """Keep a question."""
        text = candidate.asked
        self._kept.append((candidate, content_set(text), names_in(text)))
        self._vectors.append(embed_texts([text])[0])

    def replace(self, old: DraftCandidate, new: DraftCandidate) -> None:
        """Put a question in the place of one that was kept."""
        place = next(place for place, (kept, _, _) in enumerate(self._kept) if kept is old)
        del self._kept[place], self._vectors[place]
        self.add(new)
