"""The key of a stored reply: a resumed run finds it wherever the prompt stands now."""

import pytest

from ragstone.engine.exchange import key_of
from ragstone.prompts import ExtractClaims


def test_key_of_a_built_in_prompt_does_not_depend_on_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = ExtractClaims(text="text")
    key = key_of(prompt)
    monkeypatch.setattr(ExtractClaims, "__module__", "ragstone.prompts.elsewhere")
    assert key_of(prompt) == key
    monkeypatch.setattr(ExtractClaims, "__module__", "house.prompts")
    assert key_of(prompt) != key
