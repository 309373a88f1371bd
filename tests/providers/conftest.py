"""The loopback servers, for tests of providers."""

import pytest
from tests.servers._server import JudgeServer
from tests.servers.fixtures import (  # noqa: F401  (pytest finds fixtures by name in a conftest)
    anthropic_server,
    any_server,
    azure_server,
    ollama_server,
    openai_server,
)


@pytest.fixture(autouse=True)
def _no_keys_of_the_developer(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test depends on the keys and addresses of whoever runs it."""
    for vendor in ("OPENAI", "ANTHROPIC", "OLLAMA"):
        for part in ("API_KEY", "BASE_URL", "HOST", "ORG_ID", "PROJECT_ID", "AUTH_TOKEN"):
            monkeypatch.delenv(f"{vendor}_{part}", raising=False)


@pytest.fixture
def server(any_server: JudgeServer) -> JudgeServer:  # noqa: F811  (pytest hands in the fixture)
    """Each vendor in turn, with an answer to the two claims."""
    any_server.script.say(verdicts=["yes", "no"])
    return any_server
