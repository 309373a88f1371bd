import socket
from typing import Any

import pytest
from tests.servers.detectors import TEIServer
from tests.servers.fixtures import serving
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer

from ragstone.providers.local_servers import LocalServer, local_servers


def port_of(server: Any) -> int:
    return int(server.origin.rpartition(":")[2])


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hosts that are connected to."""
    for name in ("OPENAI_BASE_URL", "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)
    hosts: list[str] = []
    connect = socket.create_connection

    def recorded(address: tuple[str, int], *given: Any, **options: Any) -> socket.socket:
        hosts.append(address[0])
        return connect(address, *given, **options)

    monkeypatch.setattr(socket, "create_connection", recorded)
    return hosts


def test_each_program_is_recognised_by_its_answer() -> None:
    with (
        serving(OllamaServer(models=["qwen3:8b"])) as ollama,
        serving(OpenAIServer()) as llama_cpp,
        serving(TEIServer(lambda *_: {"x": 0.5})) as tei,
    ):
        found = local_servers([port_of(ollama), port_of(llama_cpp), port_of(tei)])
    addresses = [server.origin.removeprefix("http://") for server in (ollama, llama_cpp, tei)]
    assert found == [
        LocalServer("Ollama", addresses[0], ("ollama:qwen3:8b",)),
        LocalServer("llama.cpp", addresses[1], (f"openai:judge@http://{addresses[1]}/v1",)),
        LocalServer("Text Embeddings Inference, vectara/hhem", addresses[2], (f"tei:http://{addresses[2]}",)),
    ]
    assert all("Authorization" not in request.headers for request in ollama.requests + llama_cpp.requests)


def test_only_loopback_addresses_are_asked(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://models.example.com/v1")
    monkeypatch.setenv("OLLAMA_HOST", "10.0.0.7:11434")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.com:3128")
    with serving(OllamaServer()) as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.base_url)
        (found,) = local_servers([])
    assert found.program == "Ollama"
    assert set(asked) == {"127.0.0.1"}


def test_closed_ports_and_other_servers_are_left_out() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = free.getsockname()[1]
    odd = TEIServer(lambda *_: {"x": 0.5})
    odd.other_routes = dict  # type: ignore[method-assign, assignment]
    with serving(odd):
        assert local_servers([closed, port_of(odd)]) == []
