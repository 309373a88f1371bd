"""llama.cpp: `POST /rerank` scores documents for a query; the passage is the query, the statements the documents.

Format: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md. The scores are the model's output
before the logistic function; of the few architectures whose output llama.cpp normalises itself, they are
probabilities: write `scores=probability`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp, isfinite
from typing import Literal

from pydantic import BaseModel

from ragstone.errors import BadOption
from ragstone.judges.detection.served import Chances, Pair, ServedDetector
from ragstone.providers.http.failures import read_response

_MAX_LOG_ODDS = 700.0


@dataclass(frozen=True, kw_only=True, repr=False)
class LlamaRerankDetector(ServedDetector):
    """A model with a classification head that llama.cpp's own server runs with `--rerank`.

    Attributes:
        scores: whether the server returns log odds, or probabilities.
    """

    vendor = "llama-rerank"
    path = "v1/rerank"
    key_variable = "LLAMA_API_KEY"

    scores: Literal["log_odds", "probability"] = "log_odds"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        if self.scores not in {"log_odds", "probability"}:
            raise BadOption(f"scores={self.scores!r}: write log_odds or probability")
        if self.template or self.supported or self.contradicted:
            raise BadOption(
                "llama-rerank sends pairs and has one score: leave out template, supported and contradicted"
            )

    def _batches(self, pairs: Sequence[Pair]) -> Iterable[Sequence[Pair]]:
        """Return the pairs of each passage, since a request has one query."""
        return (list(group) for _, group in groupby(pairs, key=lambda pair: pair.text))

    async def _chances(self, pairs: Sequence[Pair]) -> Sequence[Chances]:
        documents = [pair.statement for pair in pairs]
        request = {
            "model": self.model or None,
            "query": pairs[0].text,
            "documents": documents,
            "top_n": len(documents),
        }
        body = await self.post(request)
        ranked = read_response(_Ranking, body, self.name, "ranking", self.secrets).results
        return [(self._probability(item.relevance_score), None) for item in self._in_order(ranked)]

    def _probability(self, score: float) -> float:
        if self.scores == "probability" or not isfinite(score):
            return self._check(score)
        return 1 / (1 + exp(-max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, score))))


class _Rank(BaseModel):
    index: int
    relevance_score: float


class _Ranking(BaseModel):
    results: list[_Rank]
