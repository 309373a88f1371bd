"""BM25 over the passages: postings are flat arrays, and a query reads only those of its words.

    score = Σ idf(w) · tf · (k₁ + 1) / (tf + k₁ (1 - b + b · length / mean length))
    idf(w) = ln(1 + (N - df + ½) / (df + ½))

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009. k₁ = 1.2, b = 0.75.
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

from ragstone.drafts.words import content_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_K1, _B = 1.2, 0.75


def smallest(values: "NDArray[np.float32]", count: int) -> "NDArray[np.intp]":
    """Return the places of the `count` smallest values, in their order; ties keep their places."""
    import numpy as np  # noqa: PLC0415

    places = np.arange(len(values))
    if len(values) > count:
        places = np.flatnonzero(values <= np.partition(values, count - 1)[count - 1])
    return places[np.argsort(values[places], kind="stable")[:count]]


class Bm25Index:
    """A BM25 index of a corpus. Passages are numbered in their order."""

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np  # noqa: PLC0415  (naming an index does not load it)

        counts = [Counter(content_words(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], np.float64)
        norm = _K1 * (1 - _B + _B * lengths / max(lengths.mean() if len(lengths) else 1.0, 1.0))
        postings: dict[str, list[int]] = {}
        for index, count in enumerate(counts):
            for word in count:
                postings.setdefault(word, []).append(index)
        self.size = len(texts)
        self._postings = {word: np.array(passages, np.int32) for word, passages in postings.items()}
        self._weights: dict[str, NDArray[np.float32]] = {}
        for word, passages in self._postings.items():
            tf = np.array([counts[index][word] for index in passages], np.float64)
            idf = log(1 + (self.size - len(passages) + 0.5) / (len(passages) + 0.5))
            self._weights[word] = (idf * tf * (_K1 + 1) / (tf + norm[passages])).astype(np.float32)

    def scores(self, query: str) -> "NDArray[np.float32]":
        """Return the score of each passage; shape (passages,)."""
        import numpy as np  # noqa: PLC0415

        totals = np.zeros(self.size, np.float32)
        for word in dict.fromkeys(content_words(query)):
            if word in self._postings:
                totals[self._postings[word]] += self._weights[word]
        return totals

    def best(self, query: str, count: int) -> list[int]:
        """Return up to `count` passages with the highest scores above 0, best first; ties keep the corpus order."""
        import numpy as np  # noqa: PLC0415

        scores = self.scores(query)
        hits = np.flatnonzero(scores > 0)
        return [int(index) for index in hits[smallest(-scores[hits], count)]]

    def rank(self, query: str, index: int) -> int | None:
        """Return the rank of a passage, from 1; None if it holds no word of the query. It ranks last among ties."""
        scores = self.scores(query)
        return int((scores >= scores[index]).sum()) if scores[index] > 0 else None

    def holding(self, words: Sequence[str]) -> frozenset[int]:
        """Return the passages that hold all these stems, by intersecting the postings, the shortest first."""
        if not words or not all(word in self._postings for word in words):
            return frozenset()
        rarest, *others = sorted((self._postings[word] for word in set(words)), key=len)
        for postings in others:
            positions = postings.searchsorted(rarest).clip(max=len(postings) - 1)
            rarest = rarest[postings[positions] == rarest]
        return frozenset(map(int, rarest))

    def frequency(self, word: str) -> int:
        """Return the number of passages in which a stem occurs."""
        return len(self._postings.get(word, ()))
