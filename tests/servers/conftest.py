"""The fixtures and shared requests of the servers' own tests."""

from typing import Any

import pytest
from tests.servers.fixtures import (  # noqa: F401 - pytest finds fixtures by name in a conftest
    anthropic_server,
    any_server,
    azure_server,
    ollama_server,
    openai_server,
)

VERDICTS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "reason": {"type": ["string", "null"]},
                    "verdict": {"enum": ["yes", "no", "idk"], "type": "string"},
                },
                "required": ["reason", "verdict"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}


@pytest.fixture
def schema() -> dict[str, Any]:
    return VERDICTS_SCHEMA
