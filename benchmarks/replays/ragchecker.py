"""Do RAGChecker's recorded scores prefer the answers that people prefer?

The meta-evaluation of arXiv:2408.08067: two people said of each pair of answers how much better the second
is, from -2 to 2; RAGChecker says it by the difference of its scores. Published on all 280 pairs; the
recording holds half of them, whose own figures come out here.
"""

from typing import Any

import numpy as np

from ragstone.stats.pairwise import PairwiseAgreement, agree_on_pairs

ASPECTS = ("correctness", "completeness", "overall")
PUBLISHED = {"pearson": 0.619, "spearman": 0.609}
"""Overall, on all 280 pairs."""


def judge_against_people(rows: list[dict[str, Any]], aspect: str) -> PairwiseAgreement:
    """Return the agreement of RAGChecker's recorded scores with people's mean preference on one aspect."""
    return agree_on_pairs(
        [float(np.mean(row["annotators"][aspect])) for row in rows],
        [row["judges"]["ragchecker1"][f"{aspect}_label"] for row in rows],
        [row["judges"]["ragchecker2"][f"{aspect}_label"] for row in rows],
        annotators=[row["annotators"][aspect] for row in rows],
    )
