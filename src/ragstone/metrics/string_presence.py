"""String presence: does the actual output contain the expected output, letter by letter? No judge.

    score = 1 where the trimmed expected output occurs in the actual output, else 0

Source: Ragas, string presence.
"""

from ragstone.metrics.shared.overlap import OverlapMetric
from ragstone.score import Score


class StringPresence(OverlapMetric):
    """Does the actual output contain the expected output? No judge call.

    Attributes:
        case_sensitive: whether capitals matter.
    """

    threshold: float = 1.0
    case_sensitive: bool = True

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure."""
        contained = self._normalized(expected) in self._normalized(actual)
        reason = f"The actual output {'contains' if contained else 'does not contain'} the expected output."
        return Score(1.0 if contained else 0.0, reason)

    def _normalized(self, text: str) -> str:
        return text.strip() if self.case_sensitive else text.strip().casefold()
