"""The index of a corpus: passages, their languages, families and topics, and search."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ragstone.drafts.corpus.bm25 import Bm25Index, smallest
from ragstone.drafts.corpus.families import find_families
from ragstone.drafts.corpus.topics import find_topics
from ragstone.drafts.passage import DraftPassage, hash_corpus
from ragstone.drafts.words import content_words, language_of
from ragstone.embeddings.local import embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Stratum = tuple[str, int]
"""A document and a topic."""

_NEAREST_COUNT = 20
_TOPIC_NAME_WORDS = 3
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class CorpusIndex:
    """The index of all passages. Passages are numbered in their order; `seed` is that of the topics."""

    passages: tuple[DraftPassage, ...]
    seed: int

    @cached_property
    def digest(self) -> str:
        """Hash of the passages, 16 hexadecimal digits."""
        return hash_corpus(self.passages)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The language of each passage; if it cannot be detected, that of its document, or of most documents."""
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for passage in self.passages:
            texts[passage.document].append(passage.text)
        detected = {document: language_of("\n".join(parts)) for document, parts in texts.items()}
        counts = Counter(language for language in detected.values() if language != "?")
        usual = counts.most_common(1)[0][0] if counts else "?"
        by_document = {name: usual if code == "?" else code for name, code in detected.items()}
        return tuple(language_of(passage.text, by_document[passage.document]) for passage in self.passages)

    @cached_property
    def families(self) -> tuple[int, ...]:
        """The family of each passage: the index of its first member."""
        return tuple(find_families([passage.text for passage in self.passages]))

    @cached_property
    def vectors(self) -> "NDArray[np.float32]":
        """The static embedding of each passage; shape (passages, 256)."""
        return embed_texts([passage.indexed for passage in self.passages])

    @cached_property
    def topics(self) -> tuple[int, ...]:
        """The topic of each passage."""
        return tuple(find_topics(self.vectors, self.seed))

    @cached_property
    def strata(self) -> tuple[Stratum, ...]:
        """The stratum of each passage."""
        documents = (passage.document for passage in self.passages)
        return tuple(zip(documents, self.topics, strict=True))

    @cached_property
    def stratum_sizes(self) -> Counter[Stratum]:
        """Number of passages of each stratum; near copies count once."""
        originals = (passage for passage, family in enumerate(self.families) if passage == family)
        return Counter(self.strata[passage] for passage in originals)

    @cached_property
    def bm25(self) -> Bm25Index:
        """The BM25 index of the passages."""
        return Bm25Index([passage.indexed for passage in self.passages])

    @cached_property
    def topic_names(self) -> tuple[str, ...]:
        """The most distinctive words of each topic, as its name."""
        counts = [Counter[str]() for _ in range(max(self.topics, default=-1) + 1)]
        for passage, topic in zip(self.passages, self.topics, strict=True):
            counts[topic].update(
                {word.casefold() for word in _WORD.findall(passage.indexed) if content_words(word)}
            )
        total = Counter[str]()
        for count in counts:
            total.update(count)
        return tuple(
            ", ".join(
                sorted(count, key=lambda word: (-(count[word] ** 2) / total[word], word))[:_TOPIC_NAME_WORDS]
            )
            for count in counts
        )

    def near(self, texts: Sequence[str]) -> list[int]:
        """Return the passages near to any of the texts: the top 20 by words and the top 20 by embedding, for each."""
        import numpy as np  # noqa: PLC0415

        passages: dict[int, None] = {}
        for text, vector in zip(texts, embed_texts(texts), strict=True):
            passages |= dict.fromkeys(self.bm25.best(text, _NEAREST_COUNT))
            distances = (np.float32(1) - self.vectors @ vector).round(6)
            passages |= dict.fromkeys(map(int, smallest(distances, _NEAREST_COUNT)))
        return list(passages)
