"""The measured accuracy of the embedded judge on everyday claims, kept in a file beside its weights.

`python -m training.everyday` measures it and writes the file, which names the weights by their hash.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

FILE = "accuracy.json"
MIN_ACCURACY = 0.85
"""Below this accuracy where it decides, a run for which no judge was chosen states before its scores that none was."""


class EverydayAccuracy(NamedTuple):
    """Accuracy of the embedded judge in deciding whether an everyday text supports a claim.

    Attributes:
        claims: number of claims, on texts that the judge was not trained on.
        domains: number of domains; the interval treats the claims of one domain as dependent.
        coverage: share of the claims on which it decides.
        accuracy: share of these that it decides rightly, supported or not.
        low: lower end of the 95 % interval of the accuracy.
        high: upper end.
        weights: SHA-256 of the weights that were measured.
    """

    claims: int
    domains: int
    coverage: float
    accuracy: float
    low: float
    high: float
    weights: str

    @property
    def is_sufficient(self) -> bool:
        """Whether the judge is accurate enough to be used without a warning."""
        return self.accuracy >= MIN_ACCURACY

    def sentence(self) -> str:
        """Return coverage and accuracy in one line, with an alternative if they are not enough."""
        coverage, accuracy, low, high = (
            f"{100 * share:.0f} %" for share in (self.coverage, self.accuracy, self.low, self.high)
        )
        return (
            f"The embedded judge decides {coverage} of {self.claims} everyday claims; where it decides, it is right "
            f"{accuracy} of the time (95 %: {low} to {high}). To decide more, use a language model: "
            "--judge ollama:llama3.1 or openai."
        )


@cache
def everyday_accuracy() -> EverydayAccuracy:
    """Return the accuracy that was measured for the weights in this package."""
    text = files("ragstone.judges.local").joinpath(FILE).read_text(encoding="utf-8")
    return EverydayAccuracy(**json.loads(text))
