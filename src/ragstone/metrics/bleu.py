"""BLEU: how many word sequences does the actual output share with the expected output? No judge.

    score = BP * exp(mean over n = 1..4 of log p_n), with p_n the clipped precision of n-grams, BP the brevity penalty

Both texts are taken whole, so every sentence counts. Chinese is split by sacreBLEU's tokenizer `zh`, other scripts
without blanks between words into characters. Ragas 0.4.3 cuts both at ". " and scores the first sentence alone;
`compat="ragas"` gives that number. Source: Papineni et al., ACL 2002; Post, arXiv:1804.08771 (sacreBLEU).
"""

from typing import Any, Literal

from ragstone.metrics.shared.overlap import OverlapMetric
from ragstone.metrics.shared.scripts import bleu_tokenizer
from ragstone.plugins import import_extra
from ragstone.score import Score


class Bleu(OverlapMetric):
    """How many word sequences are shared? No judge call.

    Attributes:
        compat: `ragas` for the number of Ragas 0.4.3, of the first sentence alone.
    """

    compat: Literal["ragas"] | None = None

    def score(self, actual: str, expected: str) -> Score:
        """Score two texts. Pure."""
        sacrebleu: Any = import_extra(self.title, "text", "sacrebleu")
        if self.compat == "ragas":
            references = [[sentence] for sentence in expected.split(". ")]
            return self.overlap_score(sacrebleu.corpus_bleu(actual.split(". "), references).score / 100)
        found = sacrebleu.sentence_bleu(actual, [expected], tokenize=bleu_tokenizer(actual + expected))
        return self.overlap_score(
            found.score / 100, precisions=list(found.precisions), brevity_penalty=found.bp
        )
