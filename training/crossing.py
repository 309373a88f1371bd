"""Pairs of texts from different contexts, as negative examples for training."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

R = TypeVar("R")


def crossed(
    rows: Sequence[R], context: Callable[[R], str], near: Callable[[R], str], seed: int = 0
) -> Iterator[tuple[R, R]]:
    """Yield each row with a row of another context; for every second row a near one, if there is one.

    Args:
        rows: rows of one language and task.
        context: key of a row's context; two rows of one context are never combined.
        near: key that is equal for near rows, such as those of one domain.
        seed: seed of the draw.
    """
    rng = random.Random(seed)
    groups: dict[str, list[R]] = defaultdict(list)
    for row in rows:
        groups[near(row)].append(row)
    for number, row in enumerate(rows):
        for pool in [groups[near(row)], rows] if number % 2 else [rows]:
            others = [one for one in pool if context(one) != context(row)]
            if others:
                yield row, rng.choice(others)
                break
