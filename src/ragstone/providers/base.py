"""The shape of a provider: one vendor's wire format behind one method. A class of your own with this shape will do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ragstone.result import Usage


@dataclass(frozen=True, slots=True)
class Request:
    """What a judge asks of a model.

    Attributes:
        system: the system message.
        user: the user message.
        schema: JSON schema of the answer, fit for strict structured output.
        name: a name for the schema.
        temperature: sampling temperature.
        top_logprobs: how many alternatives to tell for each token; 0 for none.
        max_tokens: most tokens of the answer; None leaves it to the provider.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    name: str = "answer"
    temperature: float = 0.0
    top_logprobs: int = 0
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the answer, with what could have stood in its place.

    Attributes:
        text: the token.
        logprob: natural logarithm of its probability.
        top: alternatives, the token itself usually among them, with their log-probabilities.
    """

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    Attributes:
        text: the answer: JSON where all went well.
        usage: tokens, and one call.
        model: the model that answered, as the server names it.
        tokens: the answer token by token, where log-probabilities were asked for and told.
    """

    text: str
    usage: Usage
    model: str
    tokens: tuple[Token, ...] = ()


@runtime_checkable
class Provider(Protocol):
    """A model behind its vendor's wire format (the LLM adapter of the reference)."""

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
        """Whether the server itself holds the model to the schema."""
        ...

    @property
    def supports_log_probs(self) -> bool:
        """Whether it tells log-probabilities."""
        ...

    @property
    def supports_multimodal(self) -> bool:
        """Whether it reads images."""
        ...

    async def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        Raises:
            ProviderError: the server refused or failed, also when asked again.
            TimedOut: no answer within the time allowed.
        """
        ...
