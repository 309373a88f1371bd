"""Every prompt's answer schema compiles to a grammar of llama.cpp."""

import json
import urllib.request
from typing import Any

import pytest
from benchmarks.llama import LlamaServer
from tests.laws.test_prompts import build
from tests.servers.test_prompt_schemas import every_prompt

from ragstone.prompts import Prompt


@pytest.mark.parametrize("prompt", every_prompt(), ids=lambda prompt: prompt.__name__)
def test_the_server_accepts_the_schema(prompt: type[Prompt[Any]], llama: LlamaServer) -> None:
    schema = {"name": "answer", "strict": True, "schema": build(prompt, "One. Two.", items=2).schema()}
    body = {
        "messages": [{"role": "user", "content": "Answer."}],
        "max_tokens": 1,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    request = urllib.request.Request(  # noqa: S310  (loopback)
        f"{llama.base_url}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  (loopback)
        assert answer.status == 200
