"""The order in which candidates are tried, such that the kept questions are a stratified sample of the passages.

A stratum is a document and a topic. Candidate j of stratum h, in random order, gets the position (j + u_h) / N_h, with
one u_h in (0, 1) for each stratum and N_h the number of passages of the stratum. Candidates are tried by position.
After any number of candidates, each stratum has had its share of them, to within one. A question has the weight
N_h / n_h, with n_h the number of questions kept in its stratum.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from ragstone.drafts.candidate import QuestionKind
from ragstone.drafts.corpus.index import CorpusIndex, Stratum

T = TypeVar("T")

SHARES: Mapping[QuestionKind, float] = {
    "single": 0.34,
    "table": 0.20,
    "multi": 0.10,
    "comparison": 0.06,
    "follow_up": 0.06,
    "false_premise": 0.06,
    "unanswerable": 0.12,
    "known_item": 0.06,
}
"""Target share of each kind of question. Missing questions are filled with other kinds, first single and table."""


def quotas(size: int, kinds: Iterable[QuestionKind]) -> dict[QuestionKind, int]:
    """Return the number of questions to keep for each kind; they sum to `size`, by largest remainders."""
    shares: dict[QuestionKind, float] = {kind: SHARES[kind] for kind in SHARES if kind in set(kinds)}
    total = sum(shares.values())
    exact: dict[QuestionKind, float] = {kind: size * share / total for kind, share in shares.items()}
    counts: dict[QuestionKind, int] = {kind: int(value) for kind, value in exact.items()}
    by_remainder = sorted(exact, key=lambda kind: counts[kind] - exact[kind])
    for kind in by_remainder[: size - sum(counts.values())]:
        counts[kind] += 1
    return counts


def sampling_order(
    items: Sequence[T], passage_of: Callable[[T], int], index: CorpusIndex, seed: int
) -> list[T]:
    """Return the items, candidates or slots, in the order in which they are tried."""
    groups: defaultdict[Stratum, list[T]] = defaultdict(list)
    for item in items:
        groups[index.strata[passage_of(item)]].append(item)
    placed: list[tuple[float, int, T]] = []
    for stratum in sorted(groups):
        rng = random.Random(f"{seed}:{stratum}")  # noqa: S311  (a reproducible sample, no secret)
        offset, group = rng.random(), groups[stratum]
        rng.shuffle(group)
        for number, item in enumerate(_in_rounds(group, passage_of)):
            placed.append(((number + offset) / max(index.stratum_sizes[stratum], 1), len(placed), item))
    return [item for _, _, item in sorted(placed, key=lambda entry: entry[:2])]


def _in_rounds(group: Sequence[T], passage_of: Callable[[T], int]) -> list[T]:
    """Return the items in rounds: the first item of every passage, then the second of every passage, and so on."""
    counts: Counter[int] = Counter()
    rounds: list[tuple[int, int, T]] = []
    for number, item in enumerate(group):
        rounds.append((counts[passage_of(item)], number, item))
        counts[passage_of(item)] += 1
    return [item for _, _, item in sorted(rounds, key=lambda entry: entry[:2])]


def draw_withheld(index: CorpusIndex, share: float, seed: int) -> frozenset[str]:
    """Return a sample of that share of the documents, to leave out of the index: at least one if above 0, never all."""
    documents = sorted({passage.document for passage in index.passages})
    count = min(len(documents) - 1, max(1, round(share * len(documents)))) if share > 0 else 0
    return frozenset(random.Random(f"{seed}:withheld").sample(documents, max(count, 0)))  # noqa: S311
