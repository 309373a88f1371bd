"""One small application on LangChain and on LlamaIndex, each under two real instrumentations: equal test cases.

`record_frameworks.py` recorded the fixtures: langchain-core 1.7.2 and llama-index-core 0.14.25, by OpenInference
(0.1.80 and 4.6.1) and OpenLLMetry (0.62.4).
"""

import json
from pathlib import Path

import pytest
from tests.testing.for_each import for_each
from tests.traces.record_frameworks import ANSWER, FIXTURES, PASSAGES, QUESTION, RECORDINGS

from ragstone import load_dataset


def file_of(name: str) -> Path:
    return FIXTURES / f"recorded_{name}.jsonl"


@for_each("name", RECORDINGS)
def test_every_framework_and_instrumentation_gives_the_same_test_case(name: str) -> None:
    (case,) = load_dataset(file_of(name))
    assert case.model_dump(exclude={"metadata", "id", "name"}, exclude_none=True) == {
        "input": QUESTION,
        "actual_output": ANSWER,
        "retrieval_context": (PASSAGES["d2"], PASSAGES["d1"]),
        "retrieved_ids": ("d1", "d2", "d3"),
        "tags": (),
    }
    assert [item["id"] for item in case.metadata["trace"]["cut"]] == ["d3"]
    tokens = case.metadata["tokens"]
    assert (tokens["input"], tokens["output"]) == (70, 8)
    assert (case.metadata["model"], case.metadata["release"]) == ("m-1", "1.4")


@pytest.mark.parametrize("name", RECORDINGS)
def test_span_order_does_not_change_the_test_case(name: str, tmp_path: Path) -> None:
    sent = json.loads(file_of(name).read_text())
    for by_scope in sent["resourceSpans"][0]["scopeSpans"]:
        by_scope["spans"].reverse()
    path = tmp_path / "backwards.jsonl"
    path.write_text(f"{json.dumps(sent)}\n")
    assert load_dataset(path)[0] == load_dataset(file_of(name))[0]


@for_each("name", RECORDINGS)
def test_recordings_hold_no_paths_or_host_names(name: str) -> None:
    text = file_of(name).read_text()
    assert "/home/" not in text
    assert "site-packages" not in text
    assert "host.name" not in text
