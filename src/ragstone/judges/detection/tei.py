"""Text Embeddings Inference: `POST /predict` with pairs returns a score for each label, the greatest first.

Format: https://huggingface.github.io/text-embeddings-inference, predict. A pair that is too long is refused instead of
truncated.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, RootModel

from ragstone.judges.detection.served import Chances, Pair, ServedDetector
from ragstone.providers.http.failures import read_response


@dataclass(frozen=True, kw_only=True, repr=False)
class TEIDetector(ServedDetector):
    """A model of sequence classification that TEI serves, such as one of natural language inference."""

    vendor = "tei"
    path = "predict"
    key_variable = "TEI_API_KEY"

    async def _chances(self, pairs: Sequence[Pair]) -> Sequence[Chances]:
        inputs = [[text] for text in self._texts(pairs)] if self.template else [list(pair) for pair in pairs]
        body = await self.post({"inputs": inputs, "truncate": False, "raw_scores": False})
        rows = read_response(_Predictions, body, self.name, "list of predictions", self.secrets).root
        return [self._by_label({item.label: item.score for item in row}) for row in rows]


class _Prediction(BaseModel):
    score: float
    label: str


class _Predictions(RootModel[list[list[_Prediction]]]):
    pass
