"""Estimate the tokens of a call before it is sent: from the length of the text, then also from earlier calls."""

from typing import Any

from ragstone.judges.base import Judge
from ragstone.prompts import Prompt
from ragstone.result import Usage

CHARACTERS_PER_TOKEN = 4
_FIXED_TOKENS = 400  # approximate tokens of the system message, a task and a schema
_ANSWER_TOKENS = 200
_PREVIOUS_WEIGHT = 0.9


class TokenEstimator:
    """Estimates for the prompts of one run: the evidence's length, plus the other tokens of prompts of that type."""

    def __init__(self) -> None:
        """Begin with a guess."""
        self._extra_tokens: dict[type[Prompt[Any]], float] = {}

    def of(self, prompt: Prompt[Any]) -> int:
        """Return the tokens that a call with `prompt` will take, sent and received."""
        extra_tokens = self._extra_tokens.get(type(prompt), _FIXED_TOKENS + _ANSWER_TOKENS)
        return round(_evidence_length(prompt) / CHARACTERS_PER_TOKEN + extra_tokens)

    def price(self, prompt: Prompt[Any], judge: Judge) -> float:
        """Return what a call with `prompt` will cost by the judge's prices, 0 where it has none."""
        usage = Usage(input_tokens=self.of(prompt) - _ANSWER_TOKENS, output_tokens=_ANSWER_TOKENS)
        return judge.price(usage) or 0.0

    def learn(self, prompt: Prompt[Any], usage: Usage) -> None:
        """Update the estimate with the usage of a call: an exponentially weighted mean of the tokens per attempt."""
        if not usage.calls:
            return
        tokens = (usage.input_tokens + usage.output_tokens) / usage.calls
        extra_tokens = tokens - _evidence_length(prompt) / CHARACTERS_PER_TOKEN
        previous = self._extra_tokens.get(type(prompt), extra_tokens)
        self._extra_tokens[type(prompt)] = _PREVIOUS_WEIGHT * previous + (1 - _PREVIOUS_WEIGHT) * extra_tokens


def _evidence_length(prompt: Prompt[Any]) -> int:
    texts = (text for _, text in prompt.evidence())
    return sum(len(text) if isinstance(text, str) else sum(map(len, text)) for text in texts)
