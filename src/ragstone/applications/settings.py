"""Settings of an application as texts, `NAME=VALUE`: a value is JSON, and a text where it is not."""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any

from ragstone.errors import BadOption


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Return settings by name: `top_k=5` is a number, `rerank=true` a Boolean, `retriever=bm25` a text.

    Raises:
        BadOption: a text has no name or no value, or a name is given twice.
    """
    settings: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not (sign and name.isidentifier()):
            raise BadOption(f"app_settings: {text!r} is no setting: write NAME=VALUE, such as top_k=5")
        if name in settings:
            raise BadOption(f"app_settings: {name} is given twice, at last as {text!r}: give it once")
        settings[name] = _read(value)
    return settings


def setting_text(name: str, value: object) -> str:
    """Return a setting as a text from which `parse_settings` reads the same value.

    Raises:
        BadOption: it is no identifier, or its value is none of JSON.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        text = None
    if isinstance(value, str) and _read(value) == value:
        text = value
    if text is None or not name.isidentifier():
        raise BadOption(
            f"setting {name!r} = {value!r}: give a name that is a Python identifier, and a number, a text, true, false "
            "or a list of them"
        )
    return f"{name}={text}"


def _read(text: str) -> object:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) and not isfinite(value) else value
