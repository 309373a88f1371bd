"""Providers: one vendor's wire format per file, loaded when first used."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.providers.anthropic import Anthropic as Anthropic
    from ragstone.providers.azure_openai import AzureOpenAI as AzureOpenAI
    from ragstone.providers.base import Completion as Completion
    from ragstone.providers.base import Provider as Provider
    from ragstone.providers.base import Request as Request
    from ragstone.providers.base import Token as Token
    from ragstone.providers.find import get_provider as get_provider
    from ragstone.providers.gemini import Gemini as Gemini
    from ragstone.providers.http.endpoint import Endpoint as Endpoint
    from ragstone.providers.http.retry import Overload as Overload
    from ragstone.providers.http.retry import Retry as Retry
    from ragstone.providers.http.transport import Transport as Transport
    from ragstone.providers.http.transport import open_transport as open_transport
    from ragstone.providers.http.transport import post_json as post_json
    from ragstone.providers.litellm import LiteLLM as LiteLLM
    from ragstone.providers.mistral import Mistral as Mistral
    from ragstone.providers.ollama import Ollama as Ollama
    from ragstone.providers.openai import OpenAI as OpenAI
    from ragstone.providers.prices import Price as Price
    from ragstone.providers.prices import cost as cost

_MODULES = {
    "anthropic": ("Anthropic",),
    "azure_openai": ("AzureOpenAI",),
    "base": ("Completion", "Provider", "Request", "Token"),
    "find": ("get_provider",),
    "gemini": ("Gemini",),
    "http.endpoint": ("Endpoint",),
    "http.retry": ("Overload", "Retry"),
    "http.transport": ("Transport", "open_transport", "post_json"),
    "litellm": ("LiteLLM",),
    "mistral": ("Mistral",),
    "ollama": ("Ollama",),
    "openai": ("OpenAI",),
    "prices": ("Price", "cost"),
}
"""The public names of each module."""

_EXPORTS = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}

__all__ = list(_EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]  (the names imported above)

__getattr__ = lazy_exports(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return sorted(__all__)
