"""chrF: how many letter sequences does the actual output share with the expected output? No judge.

    score = F2 of precision and recall of character n-grams, n = 1..6

Needs no words, so it serves languages without blanks, and forgives endings. Source: Popović, WMT 2015; sacreBLEU.
"""

from dataclasses import dataclass
from typing import Any

from ragstone.metrics._overlap import Overlap
from ragstone.metrics._score import Score
from ragstone.plugins import needs_extra


@dataclass(frozen=True, kw_only=True, repr=False)
class Chrf(Overlap):
    """How many letter sequences are shared? No judge call."""

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure.

        Raises:
            MissingExtra: the library is not installed.
        """
        sacrebleu: Any = needs_extra(self.title, "text", "sacrebleu")
        return self.scored(sacrebleu.sentence_chrf(actual, [expected]).score / 100)
