"""Every prompt's answer schema is one that the vendors accept as strict, and the servers can answer it."""

import importlib
import pkgutil
from typing import Any

import pytest
from tests.servers._strict_schema import AZURE, OPENAI, violations
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script
from tests.servers.wire import chat, post

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


def test_there_are_prompts_to_check() -> None:
    assert len(every_prompt()) >= 10


@pytest.mark.parametrize("prompt", every_prompt(), ids=lambda prompt: prompt.__name__)
def test_the_schema_is_strict_everywhere(prompt: type[Prompt[Any]]) -> None:
    assert violations(prompt.schema(), OPENAI) == []
    assert violations(prompt.schema(), AZURE) == []


def _choice(prompt: type[Prompt[Any]]) -> str:
    return prompt.schema()["properties"].get("choice", {}).get("enum", ["One."])[0]


def _verdicts(prompt: type[Prompt[Any]]) -> list[Any]:
    entry = prompt.schema()["properties"].get("verdicts", {}).get("items", {}).get("properties", {})
    return [{"reason": None, "passages": [1]}] if "passages" in entry else ["yes", "no"]


@pytest.mark.parametrize("prompt", every_prompt(), ids=lambda prompt: prompt.__name__)
def test_the_scripted_answer_is_read_back(prompt: type[Prompt[Any]]) -> None:
    texts = ["One.", "Two."]
    script = Script(
        claims=texts,
        truths=texts,
        statements=texts,
        questions=texts,
        steps=texts,
        entities=texts,
        intentions=texts,
        opinions=texts,
        task=texts[0],
        outcome=texts[1],
        choice=_choice(prompt),
        verdict="yes",
        noncommittal=False,
        score=1,
    ).say(verdicts=_verdicts(prompt), reason="Because.")
    with serving(OpenAIServer(script)) as server:
        status, payload = post(server, chat(prompt.schema()))
    assert status == 200, payload
    answer = prompt.answer.model_validate_json(payload["choices"][0]["message"]["content"])
    assert answer.model_fields_set == set(prompt.schema()["properties"])
