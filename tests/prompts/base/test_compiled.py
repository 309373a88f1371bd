"""The compiled pass finds what the answer's own validators find, or leaves the text to them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ConfigDict, Field, ValidationError
from tests.laws.test_prompts import build
from tests.servers.test_prompt_schemas import every_prompt

from ragstone.engine.dry_run import plausible_answer
from ragstone.prompts import Claims, Decisions, Prompt, parse_answer
from ragstone.prompts.base.answer import Answer, Rating, WireContext
from ragstone.prompts.base.compiled import read_compiled
from ragstone.verdict import PLAIN_LABELS, verdict_labels

SCALARS = [
    None,
    True,
    False,
    0,
    1,
    -3,
    2.0,
    2.5,
    10**30,
    "",
    " yes ",
    "yes",
    "No.",
    "1",
    [],
    {},
    ["a"],
    {"a": 1},
]


def validated(text: str, prompt: Prompt[Any]) -> Answer | None:
    """What the answer's own validators make of a text."""
    try:
        return prompt.answer.model_validate_json(text, context=WireContext(prompt.labels))
    except ValidationError:
        return None


def variants(value: Any) -> Iterator[Any]:
    """Yield an answer with one part of it replaced, left out or doubled, each in turn."""
    yield from SCALARS
    if isinstance(value, dict):
        for name, part in value.items():
            yield {key: other for key, other in value.items() if key != name}
            yield {**value, f"{name} ": part}
            yield from ({**value, name: changed} for changed in variants(part))
    if isinstance(value, list):
        yield value * 2
        for place, part in enumerate(value[:2]):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in variants(part))


@pytest.mark.parametrize("kind", every_prompt(), ids=lambda kind: kind.__name__)
def test_read_compiled_agrees_with_the_validators(kind: type[Prompt[Any]]) -> None:
    prompt = build(kind, "One. Two.")
    whole = json.loads(plausible_answer(prompt, generous=True))
    read = read_compiled(json.dumps(whole), prompt.answer, WireContext(prompt.labels))
    assert read is not None, "what a model usually writes is read in one pass"
    for value in (whole, *variants(whole)):
        text = json.dumps(value)
        found, own = read_compiled(text, prompt.answer, WireContext(prompt.labels)), validated(text, prompt)
        if found is not None:
            assert found == own, text
            assert type(found) is type(own)
            assert repr(found) == repr(own)
            assert found.model_fields_set == own.model_fields_set


@given(st.text(alphabet='{}[]",:\\ue0vidncrts123 ', max_size=60))
@settings(max_examples=200, deadline=None)
def test_read_compiled_agrees_on_arbitrary_text_or_gives_none(tail: str) -> None:
    text = f'{{"verdicts": [{{"reason": null, "verdict": "yes"}}{tail}]}}'
    found = read_compiled(text, Decisions, WireContext(PLAIN_LABELS))
    if found is not None:
        assert found == Decisions.model_validate_json(text, context=WireContext(PLAIN_LABELS))


@pytest.mark.parametrize(
    "decision",
    [
        '{"verdict": "yes", "evidence": {"passage": 1}}',
        '{"verdict": "yes", "\\u0065vidence": {"passage": 1}}',
        '{"verdict": "Yes, indeed"}',
        '{"verdict": true}',
        '{"verdict": ["yes"]}',
    ],
)
def test_unknown_fields_and_words_are_left_to_the_validators(decision: str) -> None:
    assert read_compiled(f'{{"verdicts": [{decision}]}}', Decisions, WireContext(PLAIN_LABELS)) is None


def test_a_label_stands_for_its_value() -> None:
    labels = verdict_labels(yes="supported", no="contradicted", idk="not_mentioned")
    text = '{"verdicts": [{"verdict": "not_mentioned"}, {"verdict": "supported"}]}'
    read = read_compiled(text, Decisions, WireContext(labels))
    assert read is not None
    assert [decision.verdict for decision in read.verdicts] == ["idk", "yes"]
    assert read_compiled('{"verdicts": [{"verdict": "idk"}]}', Decisions, WireContext(labels)) is None


class Lenient(Answer):
    """An answer of a user's own that ignores what it does not know."""

    model_config = ConfigDict(extra="ignore")
    text: str


class Renamed(Answer):
    """An answer whose field has another name in JSON."""

    text: str = Field(alias="words")


@pytest.mark.parametrize(
    ("answer", "text"), [(Lenient, '{"text": "a", "more": 1}'), (Renamed, '{"words": "a"}')]
)
def test_lenient_subclass_still_refuses_unexpected_properties(answer: type[Answer], text: str) -> None:
    assert read_compiled(text, answer, WireContext(PLAIN_LABELS)) is None
    with pytest.raises(ValueError, match="unexpected properties"):
        parse_answer(text, answer)


def test_a_validator_of_the_answers_own_still_runs() -> None:
    assert parse_answer('{"reason": "r", "score": 3}', Rating).score == 3
    with pytest.raises(ValueError, match="True is no score"):
        parse_answer('{"reason": "r", "score": true}', Rating)
    assert parse_answer('{"claims": [" a "]}', Claims).claims == ("a",)
