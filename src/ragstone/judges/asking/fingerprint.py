"""Fingerprints of prompts: prompts with equal fingerprints may share an answer.

A fingerprint is the text of everything that decides a language model's answer:

    provider, model, server and parameters · system and user message · schema · the prompt's own numbers

The findings of a provider about its server during a run are left out: they change the format of a request, not its
content. Secrets are left out too.
"""

import json
import warnings
from dataclasses import fields, is_dataclass
from typing import Any

from ragstone.judges.cache.sqlite_file import CacheWarning
from ragstone.prompts import Prompt, Rendered
from ragstone.providers.base import Provider

VERSION = 1
"""Increased when requests change in a way that the parts above do not show."""

_SECRET_FIELDS = frozenset({"api_key", "headers", "key", "token", "password", "secret"})


def identity(provider: Provider) -> str | None:
    """Return text that distinguishes this provider from any other, None if that is not known.

    A user-defined provider has a property `fingerprint`, empty to cache nothing, or is a dataclass, whose fields are
    used.
    """
    declared: object = getattr(provider, "fingerprint", None)
    if isinstance(declared, str):
        return declared or None
    if not is_dataclass(provider):
        warnings.warn(
            f"Answers of {type(provider).__name__} are not cached: make it a dataclass, or give it a property "
            "fingerprint that contains every setting that affects its answers.",
            CacheWarning,
            stacklevel=2,
        )
        return None
    values = {
        item.name: getattr(provider, item.name)
        for item in fields(provider)
        if item.repr and item.name not in _SECRET_FIELDS
    }
    return _to_json(
        [f"{type(provider).__module__}:{type(provider).__qualname__}", provider.name, provider.model, values]
    )


def fingerprint(provider: str, prompt: Prompt[Any], rendered: Rendered, temperature: float) -> str:
    """Return the fingerprint of a prompt as it is worded, for a provider with that `identity`."""
    numbers = {
        item.name: value
        for item in fields(prompt)
        if isinstance(value := getattr(prompt, item.name), int | float)
    }
    return _to_json(
        [
            VERSION,
            provider,
            temperature,
            prompt.wants_log_probs,
            *rendered,
            type(prompt).answer_schema(),
            numbers,
        ]
    )


def _to_json(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=repr, ensure_ascii=True, separators=(",", ":"))
