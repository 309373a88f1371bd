"""The loopback servers of every vendor, and the environment that leads ragstone to them."""

import pytest
from tests.servers._server import JudgeServer
from tests.servers.fixtures import any_server  # noqa: F401  (pytest finds fixtures by name in a conftest)

MODELS = {"openai": "gpt-4o-mini", "anthropic": "claude-sonnet-4-5", "ollama": "llama3.1"}


@pytest.fixture
def vendor(any_server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> JudgeServer:  # noqa: F811
    """Each vendor's server in turn, found by the variables that the vendor's own client reads."""
    upper = any_server.vendor.upper()
    monkeypatch.setenv(
        "OLLAMA_HOST" if any_server.vendor == "ollama" else f"{upper}_BASE_URL", any_server.base_url
    )
    if any_server.key is not None:
        monkeypatch.setenv(f"{upper}_API_KEY", any_server.key)
    return any_server


@pytest.fixture
def spec(vendor: JudgeServer) -> str:
    """The judge's spec on the command line."""
    return f"{vendor.vendor}:{MODELS[vendor.vendor]}"
