"""Token log-probabilities, as OpenAI and Ollama write them."""

from math import isfinite

from pydantic import BaseModel

from ragstone.providers.base import Token

_MAX_ROUNDING = 1e-3
"""How far a log-probability may exceed 0, as servers round."""


class Alternative(BaseModel):
    """A token with its log-probability."""

    token: str
    logprob: float

    @property
    def valid(self) -> bool:
        """Whether it is the logarithm of a probability; minus infinity is written as a very small number."""
        return isfinite(self.logprob) and self.logprob <= _MAX_ROUNDING


class TokenLogProb(Alternative):
    """A token of the answer with its alternatives."""

    top_logprobs: tuple[Alternative, ...] | None = None


def tokens_of(content: tuple[TokenLogProb, ...] | None) -> tuple[Token, ...]:
    """Return the answer token by token; numbers above 0 are not log-probabilities and are ignored."""
    return tuple(
        Token(
            entry.token,
            min(0.0, entry.logprob) if entry.valid else 0.0,
            tuple((top.token, min(0.0, top.logprob)) for top in entry.top_logprobs or () if top.valid),
        )
        for entry in content or ()
    )
