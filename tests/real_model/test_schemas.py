"""Every prompt's answer schema compiles to a grammar of llama.cpp."""

import json
import urllib.request
from itertools import product
from typing import Any

from benchmarks.llama import LlamaServer
from tests.laws.test_prompts import build
from tests.servers.test_prompt_schemas import every_prompt
from tests.testing.for_each import for_each

from ragstone.prompts import Prompt
from ragstone.providers.wire.llama_cpp import LLAMA_CPP, in_grammar


@for_each("prompt, known", product(every_prompt(), ["", LLAMA_CPP]))
def test_server_accepts_the_schema_of_every_prompt(
    prompt: type[Prompt[Any]], known: str, llama: LlamaServer
) -> None:
    plain = build(prompt, "One. Two.", items=2).schema()
    sent = in_grammar(plain, prompt.reason_words) if known else plain
    schema = {"name": "answer", "strict": True, "schema": sent}
    body = {
        "messages": [{"role": "user", "content": "Answer."}],
        "max_tokens": 1,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    request = urllib.request.Request(  # noqa: S310  (loopback)
        f"{llama.base_url}/chat/completions",
        json.dumps(body, default=dict).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  (loopback)
        assert answer.status == 200
