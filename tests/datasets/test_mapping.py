import json
from pathlib import Path

import pytest
from tests.cli.command import invoke

from ragstone import evaluate
from ragstone.datasets import load_dataset, with_columns
from ragstone.datasets.mapping import parse_columns
from ragstone.errors import BadDataset, BadOption, UnknownName

COLUMNS = {"question": "prompt", "answer": "completion", "contexts": "docs"}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_table_with_columns_of_its_own(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "rows.csv"
    lines = [["prompt", "completion", "docs"], ["Why?", "So.", "one | two"], ["Who?", "I.", "['a' 'b']"]]
    path.write_text("".join(separator.join(line) + "\n" for line in lines))
    first, second = load_dataset(with_columns(path, COLUMNS))
    assert (first.input, first.actual_output, first.retrieval_context) == ("Why?", "So.", ("one | two",))
    assert second.retrieval_context == ("a", "b")


def test_nested_column_and_the_one_it_replaces() -> None:
    row = {"question": "other", "request": {"body": {"prompt": "Why?"}}}
    (case,) = load_dataset(with_columns([row], {"input": "request.body.prompt"}))
    assert (case.input, case.metadata) == (
        "Why?",
        {"question": "other", "request": {"body": {"prompt": "Why?"}}},
    )


def test_column_that_no_row_has_is_named_with_a_suggestion() -> None:
    with pytest.raises(BadDataset, match=r"no column named 'promt'\. Did you mean 'prompt'"):
        load_dataset(with_columns([{"prompt": "Why?"}], {"input": "promt"}))
    with pytest.raises(UnknownName, match="field of a test case named 'anwser'"):
        with_columns([], {"anwser": "a"})


def test_mapping_is_parsed() -> None:
    assert parse_columns(["question=prompt, contexts = docs", "id=key"]) == {
        "question": "prompt",
        "contexts": "docs",
        "id": "key",
    }
    with pytest.raises(BadOption, match="'prompt' is not field=column"):
        parse_columns(["prompt"])


def test_run_with_map_measures_and_without_it_suggests_the_column(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"input": "Why?", "anwser": "So.", "expected_output": "So."}) + "\n")
    done = invoke("run", path, "-m", "exact_match", "--no-store")
    assert "Is the column 'anwser' meant? Then rename it, or write --map actual_output=anwser." in done.stderr
    assert invoke("run", path, "-m", "exact_match", "--no-store", "--map", "answer=anwser").exit_code == 0


def test_evaluate_takes_mapped_columns() -> None:
    data = with_columns(
        [{"q": "Why?", "a": "So.", "e": "So."}], {"input": "q", "answer": "a", "reference": "e"}
    )
    assert evaluate(data, ["exact_match"], store=False).results[0][0].score == 1
