"""Edit similarity: how few letters must change to turn the actual output into the expected output? No judge.

    score = 1 - edits / the most edits that texts of these lengths can need

Source: Levenshtein 1966; Damerau 1964; Jaro 1989; Winkler 1990.
"""

from typing import Any, Literal

from ragstone.metrics.shared.overlap import OverlapMetric
from ragstone.plugins import import_extra
from ragstone.score import Score

Distance = Literal["levenshtein", "damerau_levenshtein", "hamming", "jaro", "jaro_winkler"]


class EditSimilarity(OverlapMetric):
    """How few letters must change? No judge call.

    Attributes:
        distance: `levenshtein`, `damerau_levenshtein` (neighbours may swap), `hamming`, `jaro` or `jaro_winkler`.
    """

    distance: Distance = "levenshtein"

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure."""
        distances: Any = import_extra(self.title, "text", "rapidfuzz.distance")
        name = "".join(part.capitalize() for part in self.distance.split("_"))
        return self.overlap_score(getattr(distances, name).normalized_similarity(actual, expected))
