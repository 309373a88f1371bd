"""What is sent of a schema is what the vendor accepts: checked by the rules of the strict loopback servers."""

import json
from itertools import product
from typing import Any

from tests.laws.test_prompts import build
from tests.providers.asking import complete, provider_of, request
from tests.servers._anthropic_rules import strict_violations
from tests.servers._strict_schema import AZURE, OPENAI, violations
from tests.servers.anthropic import AnthropicServer
from tests.servers.test_prompt_schemas import every_prompt
from tests.testing.for_each import for_each

from ragstone.prompts.base.prompt import Prompt
from ragstone.providers import Anthropic, AzureOpenAI, Gemini, Mistral, Ollama, OpenAI
from ragstone.providers.wire.http_provider import HttpProvider
from ragstone.providers.wire.parameter_support import to_json_bytes
from ragstone.providers.wire.schema_dialect import in_dialect


@for_each("prompt, items", product(every_prompt(), [1, 3, 20]))
def test_schema_dialects_satisfy_the_vendor_rules(prompt: type[Prompt[Any]], items: int) -> None:
    schema = build(prompt, "One. Two.", items=items).schema()
    assert violations(in_dialect(schema, "full"), OPENAI) == []
    assert violations(in_dialect(schema, "azure_openai"), AZURE) == []
    assert list(strict_violations(in_dialect(schema, "anthropic_native"))) == []


PROVIDERS = [
    OpenAI(model="m", base_url="http://127.0.0.1:9/v1", api_key="k"),
    AzureOpenAI(model="m", base_url="http://127.0.0.1:9/openai/v1", api_key="k"),
    Anthropic(model="m", base_url="http://127.0.0.1:9", api_key="k"),
    Anthropic(model="m", base_url="http://127.0.0.1:9", api_key="k", native_schema=True),
    Anthropic(model="m", base_url="http://127.0.0.1:9", api_key="k", prompt_cache=True),
    Gemini(model="m", base_url="http://127.0.0.1:9", api_key="k"),
    Mistral(model="m", base_url="http://127.0.0.1:9", api_key="k"),
    Ollama(model="m", base_url="http://127.0.0.1:9"),
]


@for_each("provider", PROVIDERS, ids=repr)
def test_encode_leaves_the_schema_unchanged(
    provider: HttpProvider,
) -> None:
    asked = request()
    before = json.dumps(asked.schema)
    sent = to_json_bytes(provider.encode(asked))
    assert json.dumps(asked.schema) == before
    assert json.loads(sent)


def test_only_bounds_are_left_out() -> None:
    texts = {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1, "maxItems": 3}
    schema = {"type": "object", "properties": {"minItems": texts}, "required": ["minItems"]}
    assert in_dialect(schema, "full") is schema
    azure, native = in_dialect(schema, "azure_openai"), in_dialect(schema, "anthropic_native")
    assert azure["properties"] == {"minItems": {"type": "array", "items": texts["items"]}}
    assert native["properties"] == {"minItems": {"type": "array", "items": texts["items"], "minItems": 1}}
    assert texts["maxItems"] == 3


def test_anthropic_native_schema_is_sent_without_list_bounds(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script.say(verdicts=["yes", "no"])
    complete(provider_of(anthropic_server, native_schema=True), request())
    (sent,) = anthropic_server.bodies
    verdicts = sent["output_config"]["format"]["schema"]["properties"]["verdicts"]
    assert not {"minItems", "maxItems"} & set(verdicts)
    assert "tools" not in sent
