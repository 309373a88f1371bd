"""Who speaks to a model: one vendor's wire a file, loaded when first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ragstone.providers._base import Completion, Provider, Request, Token

if TYPE_CHECKING:
    from ragstone.providers._find import get_provider
    from ragstone.providers._prices import Price, cost
    from ragstone.providers._retry import Overload, Retry
    from ragstone.providers._transport import Endpoint, Transport, open_transport, post_json
    from ragstone.providers.anthropic import Anthropic
    from ragstone.providers.litellm import LiteLLM
    from ragstone.providers.ollama import Ollama
    from ragstone.providers.openai import OpenAI

_HOMES = {
    "Anthropic": "anthropic",
    "Endpoint": "_transport",
    "LiteLLM": "litellm",
    "Ollama": "ollama",
    "OpenAI": "openai",
    "Overload": "_retry",
    "Price": "_prices",
    "Retry": "_retry",
    "Transport": "_transport",
    "cost": "_prices",
    "get_provider": "_find",
    "open_transport": "_transport",
    "post_json": "_transport",
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
