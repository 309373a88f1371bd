"""Pairs of texts from different contexts, as negative examples for training."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

R = TypeVar("R")


def crossed(
    rows: Sequence[R], context: Callable[[R], str], domain: Callable[[R], str], seed: int = 0
) -> Iterator[tuple[R, R]]:
    """Yield each row with a row of another context; for every second row one of the same domain, if there is one.

    Args:
        rows: rows of one language and task.
        context: key of a row's context; two rows of one context are never combined.
        domain: key of a row's domain.
        seed: seed of the draw.
    """
    rng = random.Random(seed)
    groups: dict[str, list[R]] = defaultdict(list)
    for row in rows:
        groups[domain(row)].append(row)
    for index, row in enumerate(rows):
        for pool in [groups[domain(row)], rows] if index % 2 else [rows]:
            others = [other for other in pool if context(other) != context(row)]
            if others:
                yield row, rng.choice(others)
                break
