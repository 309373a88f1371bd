"""vLLM: `POST /score` for pairs, with a model of one label; `POST /classify` for texts made by a template.

Format: https://docs.vllm.ai, pooling models, scoring and classification. Of several classes `/classify` names only the
likeliest: a model of two supports by class 1, and for more write `supported=` with the number of the class.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from ragstone.judges.detection.served import Chances, Pair, ServedDetector
from ragstone.providers.http.failures import read_response


@dataclass(frozen=True, kw_only=True, repr=False)
class VLLMDetector(ServedDetector):
    """A classification model that vLLM serves."""

    vendor = "vllm"
    path = "score"
    key_variable = "VLLM_API_KEY"

    async def _chances(self, pairs: Sequence[Pair]) -> Sequence[Chances]:
        model, secrets = self.model or None, self.secrets
        if self.template:
            body = await self.post({"model": model, "input": self._texts(pairs)}, "classify")
            classified = read_response(_Classification, body, self.name, "classification", secrets)
            rows = [item.probs for item in self._in_order(classified.data)]
            return [self._by_label({str(number): value for number, value in enumerate(row)}) for row in rows]
        texts, statements = zip(*pairs, strict=True)
        body = await self.post({"model": model, "text_1": texts, "text_2": statements})
        scored = read_response(_Scores, body, self.name, "list of scores", secrets)
        return [(self._check(item.score), None) for item in self._in_order(scored.data)]


class _Score(BaseModel):
    index: int
    score: float


class _Scores(BaseModel):
    data: list[_Score]


class _Class(BaseModel):
    index: int
    probs: list[float]


class _Classification(BaseModel):
    data: list[_Class]
