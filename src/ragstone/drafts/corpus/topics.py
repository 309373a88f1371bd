"""Topics: k-means on the vectors of the passages, k = ⌈√(passages / 2)⌉, with a given seed and at most 15 steps."""

from math import ceil, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAX_STEPS = 15


def find_topics(vectors: "NDArray[np.float32]", seed: int) -> list[int]:
    """Return the topic of each vector, a row of norm 1, numbered from 0 by first appearance."""
    import numpy as np  # noqa: PLC0415

    count = len(vectors)
    if not count:
        return []
    rng = np.random.default_rng(seed)
    centres = vectors[rng.choice(count, ceil(sqrt(count / 2)), replace=False)].astype(np.float64)
    rows = vectors.astype(np.float64)
    nearest = np.zeros(count, np.int64)
    for _ in range(_MAX_STEPS):
        assigned = np.argmax(np.round(rows @ centres.T, 9), axis=1)
        if (assigned == nearest).all() and _:
            break
        nearest = assigned
        for topic in range(len(centres)):
            members = rows[nearest == topic]
            if len(members):
                mean = members.mean(axis=0)
                centres[topic] = mean / max(float(np.linalg.norm(mean)), 1e-12)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(int(topic), len(numbers)) for topic in nearest]
