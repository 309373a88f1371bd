"""The provider protocol: one vendor's wire format behind one method. Any class with these members is a provider."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ragstone.result import Usage


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a judge to a model.

    Attributes:
        system: the system message.
        user: the user message.
        schema: JSON schema of the answer, fit for strict structured output.
        name: a name for the schema.
        temperature: sampling temperature.
        top_logprobs: number of alternatives to return for each token; 0 for none.
        max_tokens: most tokens of the answer; None uses the provider's default.
        reason_words: most words of a reason, for a server that can enforce the limit.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    name: str = "answer"
    temperature: float = 0.0
    top_logprobs: int = 0
    max_tokens: int | None = None
    reason_words: int = 25


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the answer with its alternatives.

    Attributes:
        text: the token.
        logprob: natural logarithm of its probability, at most 0.
        top: the most probable tokens at this position with their log-probabilities.
    """

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer of a model.

    Attributes:
        text: the answer: JSON, if the model kept to the schema.
        usage: tokens, and one call.
        model: the model's name as the server reports it.
        tokens: the answer token by token, if log-probabilities were requested and returned.
        server: the server program, if it was recognised from the response and ragstone adapts to it: `llama.cpp`.
    """

    text: str
    usage: Usage
    model: str
    tokens: tuple[Token, ...] = ()
    server: str = ""


@runtime_checkable
class Provider(Protocol):
    """A language model behind its vendor's wire format."""

    @property
    def name(self) -> str:
        """The vendor, such as `openai`."""
        ...

    @property
    def model(self) -> str:
        """The model, such as `gpt-4o-mini`."""
        ...

    @property
    def supports_structured_outputs(self) -> bool:
        """Whether answers are constrained to the schema."""
        ...

    @property
    def supports_log_probs(self) -> bool:
        """Whether it returns log-probabilities."""
        ...

    @property
    def supports_multimodal(self) -> bool:
        """Whether it accepts images."""
        ...

    async def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        Raises:
            ProviderError: the server refused or failed, retries included.
            TimedOut: no response in time.
        """
        ...
