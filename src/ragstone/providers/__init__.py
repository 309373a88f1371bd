"""Providers: one vendor's wire format per file, loaded when first used."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports
from ragstone.providers.base import Completion, Provider, Request, Token

if TYPE_CHECKING:
    from ragstone.providers.anthropic import Anthropic
    from ragstone.providers.azure_openai import AzureOpenAI
    from ragstone.providers.find import get_provider
    from ragstone.providers.gemini import Gemini
    from ragstone.providers.http.endpoint import Endpoint
    from ragstone.providers.http.retry import Overload, Retry
    from ragstone.providers.http.transport import Transport, open_transport, post_json
    from ragstone.providers.litellm import LiteLLM
    from ragstone.providers.mistral import Mistral
    from ragstone.providers.ollama import Ollama
    from ragstone.providers.openai import OpenAI
    from ragstone.providers.prices import Price, cost

_EXPORTS = {
    "Anthropic": "anthropic",
    "AzureOpenAI": "azure_openai",
    "Endpoint": "http.endpoint",
    "Gemini": "gemini",
    "LiteLLM": "litellm",
    "Mistral": "mistral",
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
    "AzureOpenAI",
    "Completion",
    "Endpoint",
    "Gemini",
    "LiteLLM",
    "Mistral",
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

__getattr__ = lazy_exports(__name__, {name: f"{__name__}.{module}" for name, module in _EXPORTS.items()})


def __dir__() -> list[str]:
    return __all__
