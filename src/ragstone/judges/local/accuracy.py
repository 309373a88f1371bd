"""The measured accuracy of the embedded judge on everyday claims, kept in a file beside its weights.

`python -m training.everyday` measures it and writes the file, which names the weights by their hash.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

FILE = "accuracy.json"
MIN_BALANCED_ACCURACY = 0.7
"""Below this balanced accuracy, a run for which no judge was chosen states before its scores that none was."""


class EverydayAccuracy(NamedTuple):
    """Accuracy of the embedded judge in deciding whether an everyday text supports a claim.

    Attributes:
        claims: number of judged claims, on texts that the judge was not trained on.
        domains: number of domains; the interval treats the claims of one domain as dependent.
        balanced_accuracy: mean share of right decisions on supported and on unsupported claims; chance level is 0.5.
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
    def is_sufficient(self) -> bool:
        """Whether the judge is accurate enough to be used without a warning."""
        return self.balanced_accuracy >= MIN_BALANCED_ACCURACY

    def sentence(self) -> str:
        """Return the accuracy in one line, with an alternative if it is not enough."""
        share, low, high = (f"{100 * part:.0f} %" for part in (self.balanced_accuracy, self.low, self.high))
        return (
            f"The embedded judge is right on {share} of {self.claims} everyday claims (balanced accuracy, 95 %: {low} "
            f"to {high}; chance: 50 %). For more accuracy, use a language model: --judge ollama:llama3.1 or openai."
        )


@cache
def everyday_accuracy() -> EverydayAccuracy:
    """Return the accuracy that was measured for the weights in this package."""
    text = files("ragstone.judges.local").joinpath(FILE).read_text(encoding="utf-8")
    return EverydayAccuracy(**json.loads(text))
