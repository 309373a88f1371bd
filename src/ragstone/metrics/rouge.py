"""ROUGE: how much of the expected output's wording does the actual output have? No judge.

    score = F1, precision or recall of shared words (rouge1), word pairs (rouge2) or the longest common subsequence
            (rougeL; rougeLsum line by line)

Words are runs of letters and digits; a character of a script without blanks, or an emoji, is a word. With `stemmer`
they are English stems and what is not Latin is dropped, as in the original. Source: Lin, ACL 2004; Google's
rouge-score.
"""

from typing import Any, Literal

from ragstone.metrics.shared.overlap import OverlapMetric
from ragstone.metrics.shared.scripts import words
from ragstone.plugins import import_extra
from ragstone.score import Score

Kind = Literal["rouge1", "rouge2", "rougeL", "rougeLsum"]
Part = Literal["fmeasure", "precision", "recall"]


class _UnicodeTokenizer:
    """Words of any script."""

    def tokenize(self, text: str) -> list[str]:
        """Return the words of a text."""
        return words(text.casefold())


class Rouge(OverlapMetric):
    """How much of the expected wording is there? No judge call.

    Attributes:
        kind: `rouge1`, `rouge2`, `rougeL` or `rougeLsum`.
        part: `fmeasure`, `precision` or `recall`.
        stemmer: compare English stems, as the original and Ragas do.
    """

    kind: Kind = "rougeL"
    part: Part = "fmeasure"
    stemmer: bool = False

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure."""
        rouge: Any = import_extra(self.title, "text", "rouge_score.rouge_scorer")
        tokenizer = None if self.stemmer else _UnicodeTokenizer()
        scorer = rouge.RougeScorer([self.kind], use_stemmer=self.stemmer, tokenizer=tokenizer)
        score = scorer.score(expected, actual)[self.kind]
        return self.overlap_score(getattr(score, self.part), precision=score.precision, recall=score.recall)
