"""Values that Python wrote: LangChain's messages and mappings in the attributes of spans."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.datasets import load_dataset
from ragstone.traces.shapes.python_texts import parse_messages
from ragstone.traces.shapes.texts import Side, find_text
from ragstone.traces.shapes.values import parse_json

FIELDS = "additional_kwargs={} response_metadata={}"
QUESTION = f"content='How tall?' {FIELDS}"
ANSWER = f"content=\"It's 40 m.\" {FIELDS} id='run-7'"
CONVERSATION = (
    "[HumanMessage(content='How tall?', additional_kwargs={}), AIMessage(content=\"It's 40 m.\", id='1')]"
)


@for_each(
    "value, side, text",
    [
        (QUESTION, "input", "How tall?"),
        (json.dumps({"messages": [QUESTION]}), "input", "How tall?"),
        ({"messages": [[QUESTION]]}, "input", "How tall?"),
        (json.dumps({"messages": [QUESTION, ANSWER]}), "input", "How tall?"),
        (json.dumps({"messages": [QUESTION, ANSWER]}), "output", "It's 40 m."),
        (f"content='It is.' {FIELDS}", "output", "It is."),
        (CONVERSATION, "input", "How tall?"),
        (CONVERSATION, "output", "It's 40 m."),
        ("{'question': 'How tall?', 'history': []}", "input", "How tall?"),
        ("content= is an attribute of meta", "input", "content= is an attribute of meta"),
        ("content='x' is how one writes it", "input", "content='x' is how one writes it"),
    ],
)
def test_text_is_found_in_what_python_wrote(value: object, side: Side, text: str) -> None:
    assert find_text(value, side) == text


@for_each("value", ["{'a': ", "{'a': open('x')}", "{'" + "[" * 1000, "[{'a' 1}]"])
def test_other_texts_are_left_alone(value: str) -> None:
    assert parse_json(value) == value


def test_long_text_is_not_parsed() -> None:
    assert parse_messages(f"content='{'x' * 200_000}' {FIELDS}") == []


def trace(*observations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "trace": {
            "id": "t1",
            "name": "QA",
            "timestamp": "2025-01-01T00:00:00Z",
            "input": "How tall?",
            **fields,
        },
        "observations": list(observations),
    }


@pytest.mark.parametrize("several", [False, True])
def test_export_of_langfuses_page_is_read(tmp_path: Path, several: bool) -> None:  # noqa: FBT001  (parametrised)
    observation = {
        "id": "o1",
        "type": "GENERATION",
        "name": "chat",
        "startTime": "2025-01-01T00:00:00Z",
        "model": "m",
    }
    page = trace(observation, output={"answer": "40 m."})
    (tmp_path / "export.json").write_text(json.dumps([page] if several else page))
    (case,) = load_dataset(tmp_path / "export.json")
    assert (case.input, case.actual_output) == ("How tall?", "40 m.")


def test_list_of_langfuses_traces_with_objects_is_read(tmp_path: Path) -> None:
    row = {
        "id": "t1",
        "input": {"question": "How tall?"},
        "output": {"answer": "40 m."},
        "tags": [],
        "observations": ["o"],
    }
    (tmp_path / "list.json").write_text(json.dumps([row]))
    (case,) = load_dataset(tmp_path / "list.json")
    assert (case.input, case.actual_output, case.id, case.tags) == ("How tall?", "40 m.", "t1", ())
