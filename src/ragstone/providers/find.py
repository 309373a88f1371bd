"""Lookup of providers by a spec such as `openai:gpt-4o`."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ragstone import plugins
from ragstone.errors import BadOption, UnknownName
from ragstone.permissions import allow_host
from ragstone.providers.base import Provider

BUILTIN = {
    "anthropic": "ragstone.providers.anthropic:Anthropic",
    "azure_openai": "ragstone.providers.azure_openai:AzureOpenAI",
    "gemini": "ragstone.providers.gemini:Gemini",
    "litellm": "ragstone.providers.litellm:LiteLLM",
    "mistral": "ragstone.providers.mistral:Mistral",
    "ollama": "ragstone.providers.ollama:Ollama",
    "openai": "ragstone.providers.openai:OpenAI",
}


def get_provider(spec: str, **options: Any) -> Provider:  # noqa: ANN401  (each provider's own)
    """Return the provider that `spec` names.

    Args:
        spec: `openai`, `openai:gpt-4o`, `anthropic[:model]`, `gemini[:model]`, `mistral[:model]`,
            `azure_openai:deployment`, `ollama[:model]`, `litellm:model`, the name of an entry point (with `:model` if
            it takes one), or `package.module:Class`. `openai:model@http://localhost:8000/v1` names the server too.
        options: passed to the provider's class, such as `base_url`.

    Raises:
        UnknownName: there is none of that name.
        MissingExtra: it needs a package that is not installed.
        UsageError: it needs a key and there is none; or somebody else's spec names the host that would get the key.
    """
    member, model = find_member("provider", spec.strip(), BUILTIN)
    model, address = split_address(model)
    if address is not None:
        options = {"base_url": address, **options}
    if model:
        options = {"model": model, **options}
    provider: object = member(**options) if callable(member) else member
    has_key = getattr(provider, "api_key", None) or getattr(provider, "auth_token", None)
    if address is not None and "api_key" not in options and has_key:
        _allow_host(spec, address)
    if not isinstance(provider, Provider):
        raise BadOption(
            f"{spec!r} is not a provider: it needs name, model, three supports_… flags and complete(request)."
        )
    return provider


def _allow_host(spec: str, address: str) -> None:
    """Check that a key may be sent to an address; the vendor's own, and that of its variable, need no permission."""
    host, vendor = urlsplit(address).hostname or "", spec.strip().partition(":")[0]
    usual = getattr(get_provider(vendor, api_key="none"), "base_url", None) if vendor in BUILTIN else None
    if host != urlsplit(usual or "").hostname:
        allow_host(spec.partition("@")[0], host)


def split_address(spec: str) -> tuple[str, str | None]:
    """Return a spec, or a model, without the address of the server, and that address: `http://localhost:8000/v1`."""
    spec, separator, address = spec.partition("@http")
    return spec, f"http{address}" if separator else None


def find_member(kind: str, spec: str, builtin: Mapping[str, str]) -> tuple[Any, str]:
    """Return the member that `name[:model]` or `module:Class` names, and the model, which may be empty.

    Raises:
        UnknownName: there is none of that name.
    """
    head, _, rest = spec.partition(":")
    if head in builtin:
        return plugins.find(kind, head, builtin), rest
    try:
        return plugins.find(kind, spec, builtin), ""
    except UnknownName:
        if "." in head or not rest or plugins.is_local_module(head):
            raise
    return plugins.find(kind, head, builtin), rest
