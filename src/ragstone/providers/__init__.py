"""Who speaks to a model: one vendor's wire a file, loaded when first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ragstone.providers.base import Completion, Provider, Request, Token

if TYPE_CHECKING:
    from ragstone.providers.anthropic import Anthropic
    from ragstone.providers.find import get_provider
    from ragstone.providers.http.retry import Overload, Retry
    from ragstone.providers.http.transport import Endpoint, Transport, open_transport, post_json
    from ragstone.providers.litellm import LiteLLM
    from ragstone.providers.ollama import Ollama
    from ragstone.providers.openai import OpenAI
    from ragstone.providers.prices import Price, cost

_HOMES = {
    "Anthropic": "anthropic",
    "Endpoint": "http.transport",
    "LiteLLM": "litellm",
    "Ollama": "ollama",
    "OpenAI": "openai",
    "Overload": "http.retry",
    "Price": "prices",
    "Retry": "http.retry",
    "Transport": "http.transport",
    "cost": "prices",
    "get_provider": "find",
    "open_transport": "http.transport",
    "post_json": "http.transport",
}

__all__ = [
    "Anthropic",
    "Completion",
    "Endpoint",
    "LiteLLM",
    "Ollama",
    "OpenAI",
    "Overload",
    "Price",
    "Provider",
    "Request",
    "Retry",
    "Token",
    "Transport",
    "cost",
    "get_provider",
    "open_transport",
    "post_json",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (whatever stands there)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"ragstone.providers.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
