"""Servers of models on this machine: which program answers at the usual ports, and which models it has.

Only loopback addresses are asked, without a proxy and without a key: nothing leaves the machine.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from ragstone.errors import BadOption
from ragstone.providers.http.address import from_environment, is_loopback, ollama_host

USUAL_PORTS = (11434, 1234, 8080, 8000, 3000)
"""Ollama, LM Studio, llama.cpp, vLLM, Text Embeddings Inference."""

_SECONDS = 1.0
_MAX_BYTES = 4 * 2**20
_PROGRAMS = {"llamacpp": "llama.cpp", "vllm": "vLLM", "organization_owner": "LM Studio"}
"""Programs by what they write as the owner of a model."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered: its program as far as it is told, host and port, and specs of its models as judges."""

    program: str
    address: str
    judges: tuple[str, ...]


def local_servers(ports: Iterable[int] = USUAL_PORTS) -> list[LocalServer]:
    """Return the servers at these ports of this machine, and at the addresses of OLLAMA_HOST and OPENAI_BASE_URL.

    An address that is not a loopback one is not asked.
    """
    addresses = dict.fromkeys((*(("127.0.0.1", port) for port in ports), *_named_addresses()))
    with ThreadPoolExecutor(max(1, len(addresses))) as pool:
        return [server for server in pool.map(_ask, addresses) if server is not None]


def _named_addresses() -> Iterator[tuple[str, int]]:
    openai, ollama = from_environment("OPENAI_BASE_URL"), from_environment("OLLAMA_HOST")
    try:
        urls = [url for url in (openai, ollama_host(ollama) if ollama else None) if url]
        for parts in map(urlsplit, urls):
            host = parts.hostname or ""
            if parts.scheme == "http" and is_loopback(host):
                yield host, parts.port or 80
    except (BadOption, ValueError):  # the judge itself reports it
        return


def _ask(address: tuple[str, int]) -> LocalServer | None:
    host, port = address
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    for path, read in _READERS.items():
        try:
            server = read(_get(host, port, path), shown)
        except ConnectionError:
            return None
        except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError):
            continue
        if server is not None:
            return server
    return None


def _get(host: str, port: int, path: str) -> Any:  # noqa: ANN401  (any JSON)
    connection = HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        response = connection.getresponse()
        return json.loads(response.read(_MAX_BYTES)) if response.status == 200 else None  # noqa: PLR2004  (OK)
    finally:
        connection.close()


def _ollama(answer: Any, address: str) -> LocalServer:  # noqa: ANN401
    return LocalServer("Ollama", address, tuple(f"ollama:{model['name']}" for model in answer["models"]))


def _openai(answer: Any, address: str) -> LocalServer:  # noqa: ANN401
    models = [model for model in answer["data"] if not str(model["id"]).startswith("text-embedding")]
    owner = next((str(model.get("owned_by")) for model in models), "")
    judges = tuple(f"openai:{model['id']}@http://{address}/v1" for model in models)
    return LocalServer(_PROGRAMS.get(owner, "a server with OpenAI's API"), address, judges)


def _tei(answer: Any, address: str) -> LocalServer:  # noqa: ANN401
    judges = (f"tei:http://{address}",) if {"classifier", "reranker"} & answer["model_type"].keys() else ()
    return LocalServer(f"Text Embeddings Inference, {answer['model_id']}", address, judges)


_READERS: dict[str, Callable[[Any, str], LocalServer | None]] = {
    "/api/tags": _ollama,
    "/v1/models": _openai,
    "/info": _tei,
}
"""How each program lists its models: the path, and what reads the answer."""
