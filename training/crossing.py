"""Texts of one context beside those of another: what belongs together is learnt from what does not."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

R = TypeVar("R")


def crossed(
    rows: Sequence[R], context: Callable[[R], str], near: Callable[[R], str], seed: int = 0
) -> Iterator[tuple[R, R]]:
    """Yield each row with one of another context: for every second row one that is near to it, where there is one.

    Args:
        rows: of one language and task.
        context: what the texts of a row speak of; two rows of one context are never put together.
        near: equal for rows that are near to each other, such as those of one domain.
        seed: of the draw.
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
