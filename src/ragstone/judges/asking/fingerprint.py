"""Everything that decides a language model's answer, as text: prompts with equal fingerprints may share an answer.

    provider, model, server and parameters · system and user message · schema · the prompt's own numbers

What a provider learns about its server during a run is left out: it changes how a prompt is sent, not what is asked.
Secrets are left out too.
"""

import json
import warnings
from dataclasses import fields, is_dataclass
from typing import Any

from ragstone.judges.cache.sqlite_file import CacheWarning
from ragstone.prompts import Prompt, Rendered
from ragstone.providers.base import Provider

VERSION = 1
"""Increased when what is asked changes in a way that the parts above do not show."""

_SECRET = frozenset({"api_key", "headers", "key", "token", "password", "secret"})


def identity(provider: Provider) -> str | None:
    """Return what distinguishes this provider from any other, None where that is not known.

    A provider of the user's own has a property `fingerprint`, or is a dataclass, whose fields are used.
    """
    own: object = getattr(provider, "fingerprint", None)
    if isinstance(own, str):
        return own
    if not is_dataclass(provider):
        warnings.warn(
            f"Answers of {type(provider).__name__} are not cached: make it a dataclass, or give it a property "
            "fingerprint that names everything that decides an answer.",
            CacheWarning,
            stacklevel=2,
        )
        return None
    shown = {
        item.name: getattr(provider, item.name)
        for item in fields(provider)
        if item.repr and item.name not in _SECRET
    }
    return _canonical(
        [f"{type(provider).__module__}:{type(provider).__qualname__}", provider.name, provider.model, shown]
    )


def fingerprint(provider: str, prompt: Prompt[Any], rendered: Rendered, temperature: float) -> str:
    """Return the fingerprint of a prompt as it is worded, for a provider with that `identity`."""
    numbers = {
        item.name: value
        for item in fields(prompt)
        if isinstance(value := getattr(prompt, item.name), int | float)
    }
    return _canonical(
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


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=repr, ensure_ascii=True, separators=(",", ":"))
