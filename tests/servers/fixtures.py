"""Fixtures: a fresh server of each vendor per test; a script that could not answer fails the test at its end.

Use them by naming this module in a conftest's `pytest_plugins`, or by importing the fixtures wanted. A
test that needs another kind of server opens one itself: `with serving(OpenAIServer(script,
reasoning=True)) as server: …`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest
from tests.servers._server import JudgeServer
from tests.servers.anthropic import AnthropicServer
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer

Server = TypeVar("Server", bound=JudgeServer)


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """Run a server; fail at the end if its script was asked for what it does not hold."""
    with server:
        yield server
    if server.complaints:
        pytest.fail(f"the {server.vendor} server's script could not answer: {server.complaints[0]}")


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    with serving(OpenAIServer()) as server:
        yield server


@pytest.fixture
def azure_server() -> Iterator[OpenAIServer]:
    with serving(OpenAIServer(azure=True)) as server:
        yield server


@pytest.fixture
def anthropic_server() -> Iterator[AnthropicServer]:
    with serving(AnthropicServer()) as server:
        yield server


@pytest.fixture
def ollama_server() -> Iterator[OllamaServer]:
    with serving(OllamaServer()) as server:
        yield server


@pytest.fixture(params=["openai", "anthropic", "ollama"])
def any_server(request: pytest.FixtureRequest) -> Iterator[JudgeServer]:
    """Each vendor in turn: for what must hold whoever judges."""
    kinds = {"openai": OpenAIServer, "anthropic": AnthropicServer, "ollama": OllamaServer}
    with serving(kinds[request.param]()) as server:
        yield server
