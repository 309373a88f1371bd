"""The loopback servers that embed, and no key of whoever runs the tests."""

import pytest
from tests.servers.fixtures import ollama_server, openai_server  # noqa: F401  (pytest finds fixtures by name)


@pytest.fixture(autouse=True)
def _no_keys_of_the_developer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "OLLAMA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
