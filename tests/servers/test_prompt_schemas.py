"""Every prompt's answer schema is one that the vendors accept as strict, and the servers can answer it."""

import importlib
import pkgutil
from itertools import product
from typing import Any

from tests.laws.test_prompts import build
from tests.servers._strict_schema import AZURE, OPENAI, violations
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script
from tests.servers.wire import chat, post
from tests.testing.for_each import for_each

import ragstone.prompts
from ragstone.prompts.base.prompt import Prompt


def every_prompt() -> list[type[Prompt[Any]]]:
    names = [
        name for _, name, _ in pkgutil.iter_modules(ragstone.prompts.__path__) if not name.startswith("_")
    ]
    modules = [importlib.import_module(f"ragstone.prompts.{name}") for name in names]
    found = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Prompt) and kind.__module__ == module.__name__
    }
    return sorted(found, key=lambda kind: kind.__name__)


def test_at_least_ten_prompts_are_found() -> None:
    assert len(every_prompt()) >= 10


@for_each("prompt, items", product(every_prompt(), [1, 3, 20]))
def test_prompt_schemas_are_strict_at_openai_and_azure(prompt: type[Prompt[Any]], items: int) -> None:
    """OpenAI takes every bound; Azure takes none, so that the class's schema alone must do there."""
    assert violations(build(prompt, "One. Two.", items=items).schema(), OPENAI) == []
    assert violations(prompt.answer_schema(), AZURE) == []


@for_each("prompt", every_prompt())
def test_prompt_parses_the_scripted_answer(prompt: type[Prompt[Any]]) -> None:
    built = build(prompt, "One. Two.")
    texts = ["One.", "Two.", "Three."]
    schema = built.schema()
    entry = schema["properties"].get("verdicts", {}).get("items", {}).get("properties", {})
    label = entry.get("verdict", schema["properties"].get("verdict", {})).get("enum", ["yes"])[0]
    count = schema["properties"].get("verdicts", {}).get("minItems", 2)
    script = Script(
        claims=texts,
        truths=[{"passage": 1, "fact": "One."}],
        statements=texts,
        questions=texts,
        rules=texts,
        steps=texts,
        entities=texts,
        intentions=texts,
        opinions=texts,
        answer=schema["properties"].get("answer", {}).get("enum", texts)[0],
        context=schema["properties"].get("context", {}).get("enum", texts)[0],
        unanswered=[],
        faults=[],
        deciding=[],
        rank=None,
        question=texts[0],
        sentences=[1],
        found="yes",
        task=texts[0],
        outcome=texts[1],
        choice=schema["properties"].get("choice", {}).get("enum", ["One."])[0],
        verdict=label,
        noncommittal=False,
        score=schema["properties"].get("score", {}).get("enum", [1])[0],
    ).say(verdicts=[_entry(entry, label, number) for number in range(1, count + 1)], reason="Because.")
    with serving(OpenAIServer(script)) as server:
        status, payload = post(server, chat(schema))
    assert status == 200, payload
    answer = built.parse(payload["choices"][0]["message"]["content"])
    assert answer.model_fields_set == set(schema["properties"])


def _entry(properties: dict[str, Any], label: str, number: int) -> dict[str, Any]:
    wanted = {
        "item": number,
        "reason": "Because.",
        "passage": min(number, 2),
        "passages": [1],
        "statement": "One.",
        "part": "One.",
        "verdict": label,
    }
    return {name: wanted[name] for name in properties}
