"""The packaged demo dataset keeps its shape: what the demo promises to find has to be in it."""

import json
import re
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from tests.testing.for_each import for_each

FLAWS = {
    "wrong_number",
    "wrong_name",
    "negated",
    "invented_claim",
    "off_topic",
    "bad_ranking",
    "missing_passage",
    "irrelevant_passages",
}
METRICS = {
    "answer_acceptance",
    "faithfulness",
    "answer_relevancy",
    "contextual_precision",
    "contextual_recall",
    "contextual_relevancy",
}
FIELDS = {
    "id",
    "name",
    "input",
    "actual_output",
    "expected_output",
    "retrieval_context",
    "tags",
    "metadata",
}
SHOWN_BY = {
    "off_topic": {"answer_relevancy"},
    "bad_ranking": {"contextual_precision"},
    "missing_passage": {"contextual_recall"},
    "irrelevant_passages": {"contextual_relevancy"},
    "invented_claim": {"faithfulness"},
    "wrong_number": {"answer_acceptance"},
    "wrong_name": {"answer_acceptance"},
    "negated": {"answer_acceptance"},
}


def rows() -> list[dict[str, Any]]:
    text = (files("ragstone") / "datasets" / "data" / "demo.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


ROWS = rows()


def every_row(test: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
    """Run a test on every row; the note of a failure names its row."""

    def on_rows() -> None:
        for row in ROWS:
            try:
                test(row)
            except AssertionError as error:
                error.add_note(f"row {row['id']}")
                raise

    on_rows.__name__ = test.__name__
    return on_rows


def test_counts_and_share_of_sound_answers() -> None:
    sound = [row for row in ROWS if row["metadata"]["flaw"] is None]
    assert 30 <= len(ROWS) <= 36
    assert 0.35 <= len(sound) / len(ROWS) <= 0.45
    assert len({row["tags"][0] for row in ROWS}) >= 8


def test_every_flaw_and_every_metric_occurs_at_least_twice() -> None:
    flawed = [row["metadata"] for row in ROWS if row["metadata"]["flaw"]]
    flaws = Counter(data["flaw"] for data in flawed)
    metrics = Counter(data["metric"] for data in flawed)
    assert set(flaws) == FLAWS
    assert set(metrics) == METRICS
    assert min(*flaws.values(), *metrics.values()) >= 2


@for_each("field", ["id", "name", "input", "actual_output"])
def test_ids_names_inputs_and_outputs_are_unique(field: str) -> None:
    assert len({row[field] for row in ROWS}) == len(ROWS)


@every_row
def test_fields_are_those_of_a_test_case(row: dict[str, Any]) -> None:
    assert set(row) == FIELDS
    assert all(
        row[field].strip() == row[field] != "" for field in FIELDS - {"retrieval_context", "tags", "metadata"}
    )


@every_row
def test_passages_are_three_to_five_of_30_to_90_words(row: dict[str, Any]) -> None:
    passages = row["retrieval_context"]
    assert 3 <= len(passages) <= 5
    assert len(set(passages)) == len(passages)
    assert all(30 <= len(passage.split()) <= 90 for passage in passages)


@every_row
def test_metadata_names_flaw_and_detecting_metric(row: dict[str, Any]) -> None:
    data = row["metadata"]
    assert set(data) == {"flaw", "metric", "detail", "also"}
    assert data["detail"].endswith(".")
    assert set(data["also"]) <= METRICS | {"context_sufficiency"} - {data["metric"]}
    assert row["tags"][1:] == [data["flaw"] or "sound"]
    if data["flaw"] is None:
        assert data["metric"] is None
        assert data["detail"].startswith("Sound: ")
    else:
        assert data["metric"] in SHOWN_BY[data["flaw"]]


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d[\d.,:]*\d|\d", text))


def quantities(text: str) -> set[str]:
    """Return the numbers with their units: 10 mg of a tablet is not 10 ml of its syrup."""
    return set(re.findall(r"\d+ (?:weeks|cm|ml|mg|°C)", text))


@every_row
def test_only_wrong_number_rows_have_a_foreign_quantity(row: dict[str, Any]) -> None:
    known = " ".join([row["input"], *row["retrieval_context"]])
    if row["metadata"]["flaw"] == "wrong_number":
        foreign = quantities(row["actual_output"]) - quantities(known)
        assert len(foreign) == 1
        assert foreign < quantities(row["metadata"]["detail"])
        assert quantities(row["expected_output"]) <= quantities(known)
    elif row["metadata"]["flaw"] is None:
        foreign = numbers(row["actual_output"]) - numbers(known)
        assert foreign <= {"400"}, "sound answers quote the passages' numbers, but for 'more than 400' of 412"


@every_row
def test_wrong_name_rows_name_both_persons_in_detail(row: dict[str, Any]) -> None:
    if row["metadata"]["flaw"] == "wrong_name":
        names = set(re.findall(r"[A-Z]\w+ [A-Z]\w+", row["metadata"]["detail"]))
        wrong = {name for name in names if name in row["actual_output"]}
        right = {name for name in names if name in row["expected_output"]}
        assert len(wrong) == len(right) == 1
        assert right <= {name for name in names if name in " ".join(row["retrieval_context"])}
