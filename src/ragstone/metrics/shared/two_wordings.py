"""Two looks at one thing, in two wordings: their mean is steadier than either. Source: NVIDIA's metrics in Ragas."""

from collections.abc import Sequence
from typing import Any

from ragstone.metrics.base.score import Score
from ragstone.prompts import Rating


def mean_of_wordings(ratings: Sequence[Rating], best: int) -> Score:
    """Return the mean of ratings from 0 to `best` as a score; there must be one."""
    values = [rating.value for rating in ratings]
    value = sum(values) / (best * len(values))
    metadata: dict[str, Any] = {
        "ratings": [{"score": rating.value, "reason": rating.reason} for rating in ratings],
        "scale": [0, best],
        "agreement": len(set(values)) == 1,
    }
    said = " / ".join(f"{rating.value:g} of {best}: {rating.reason}" for rating in ratings)
    return Score(value, said, metadata, tuple(rating.reason for rating in ratings))
