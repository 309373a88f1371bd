"""chrF: how many letter sequences does the actual output share with the expected output? No judge.

    score = F2 of precision and recall of character n-grams, n = 1..6

Needs no words, so it also works for languages without spaces, and tolerates other endings. Source: Popović, WMT 2015;
sacreBLEU.
"""

from typing import Any

from ragstone.metrics.shared.overlap import OverlapMetric
from ragstone.plugins import import_extra
from ragstone.score import Score


class Chrf(OverlapMetric):
    """How many letter sequences are shared? No judge call."""

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure."""
        sacrebleu: Any = import_extra(self.title, "text", "sacrebleu")
        return self.overlap_score(sacrebleu.sentence_chrf(actual, [expected]).score / 100)
