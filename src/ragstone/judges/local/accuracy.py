"""The measured accuracy of the embedded judge on everyday claims, kept in a file beside its weights.

`python -m training.everyday` measures it and writes the file, which names the weights by their hash.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

FILE = "accuracy.json"
ENOUGH = 0.7
"""Below this balanced accuracy a run says, before its scores, that the embedded judge was not chosen by anybody."""


class EverydayAccuracy(NamedTuple):
    """How often the embedded judge decides right whether an everyday text supports a claim.

    Attributes:
        claims: how many claims were judged, of texts that it was not trained on.
        domains: from how many domains; the interval takes the claims of one as dependent.
        balanced_accuracy: mean share of right decisions on supported and on unsupported claims; a coin has 0.5.
        low: lower end of its 95 % interval.
        high: upper end.
        weights: SHA-256 of the weights that were measured.
    """

    claims: int
    domains: int
    balanced_accuracy: float
    low: float
    high: float
    weights: str

    @property
    def enough(self) -> bool:
        """Whether the judge is good enough to be used without a word of warning."""
        return self.balanced_accuracy >= ENOUGH

    def sentence(self) -> str:
        """Return the figure in one line, with what to use where it is not enough."""
        share, low, high = (f"{100 * part:.0f} %" for part in (self.balanced_accuracy, self.low, self.high))
        return (
            f"The embedded judge is right on {share} of {self.claims} everyday claims (balanced accuracy, 95 %: {low} "
            f"to {high}; a coin: 50 %). Where that is not enough: a language model, --judge ollama:llama3.1 or openai."
        )


@cache
def everyday_accuracy() -> EverydayAccuracy:
    """Return the figure that was measured for the weights in this package."""
    text = files("ragstone.judges.local").joinpath(FILE).read_text(encoding="utf-8")
    return EverydayAccuracy(**json.loads(text))
