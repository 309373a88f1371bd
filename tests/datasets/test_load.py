import gzip
from pathlib import Path

import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, BadRowWarning, Dataset, load_dataset, read_dataset, source_name
from ragstone.errors import BadDataset

DATA = Path(__file__).parents[3] / "shared" / "data"


def test_the_demo_is_known_by_name() -> None:
    dataset = load_dataset("demo")
    assert dataset.source == "demo"
    assert len(dataset) == 35
    assert dataset.bad_rows == ()
    assert dataset[0].id == "hr-parental-leave-length"
    assert dataset[0].tags == ("hr-policy", "sound")
    assert all(
        not case.missing(("input", "actual_output", "expected_output", "retrieval_context"))
        for case in dataset
    )


def test_a_file_called_demo_is_read_as_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "demo").write_text('{"input": "mine"}\n')
    monkeypatch.chdir(tmp_path)
    assert len(load_dataset("demo")) == 35
    assert [case.input for case in load_dataset("./demo")] == ["mine"]
    assert [case.input for case in load_dataset(Path("demo"))] == ["mine"]


def test_bad_rows_are_kept_and_warned_about() -> None:
    with pytest.warns(BadRowWarning, match=r"1 of 3 rows cannot be read\. The first: the list, row 2: "):
        dataset = load_dataset([{"input": "a"}, {"output": "b"}, {"input": "c"}])
    assert [case.input for case in dataset] == ["a", "c"]
    assert [bad.place for bad in dataset.bad_rows] == ["row 2"]


def test_a_dataset_is_a_sequence_of_cases() -> None:
    one, two = TestCase(input="1"), TestCase(input="2")
    dataset = Dataset("here", (one, two))
    assert dataset[-1] is two
    assert dataset[:1] == (one,)
    assert two in dataset
    assert list(reversed(dataset)) == [two, one]


def test_only_bad_rows_raises_with_the_first_problem() -> None:
    with pytest.raises(
        BadDataset, match=r"None of the 2 rows can be read\. The first: the list, row 1: input: Field"
    ):
        load_dataset([{"a": 1}, {"b": 2}])


def test_no_rows_at_all() -> None:
    with pytest.raises(BadDataset, match="the list contains no rows"):
        load_dataset([])


def test_missing_file_raises_on_call_not_on_iteration(tmp_path: Path) -> None:
    with pytest.raises(BadDataset, match="There is no file"):
        read_dataset(tmp_path / "none.jsonl")


def test_source_name() -> None:
    assert source_name("a/b.csv") == source_name(Path("a/b.csv")) == "a/b.csv"
    assert source_name("-") == "standard input"
    assert source_name([]) == "the list"


# Five of the judged systems gave no answer: their cases are read, and metrics say what is missing.
SILENT = {
    "ragchecker_meta_dev": [
        f"ragchecker-{pair}" for pair in ("78-text", "80-text", "186-text2", "266-text", "272-text2")
    ]
}
shared = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="the human-labelled data are not beside this checkout"),
]


@pytest.mark.parametrize(
    ("name", "count", "field"),
    [
        pytest.param("ragchecker_meta_dev", 280, "expected_output", marks=shared),
        pytest.param("begin", 4836, "context", marks=shared),
        pytest.param("wice_claims_dev", 349, "context", marks=shared),
        pytest.param("sts", 13278, "expected_output", marks=shared),
        pytest.param("openqa_nq301", 1490, "expected_output", marks=shared),
    ],
)
def test_human_labelled_files_are_read_without_bad_rows(name: str, count: int, field: str) -> None:
    rows = list(read_dataset(DATA / f"{name}.jsonl.gz"))
    assert [row for row in rows if isinstance(row, BadRow)] == []
    assert len(rows) == count
    cases = [row for row in rows if isinstance(row, TestCase)]
    assert not [case.id for case in cases if case.missing((field,)) or "label" not in case.metadata]
    assert [case.id for case in cases if case.missing(("actual_output",))] == SILENT.get(name, [])


def test_file_of_junk_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragstone.datasets.load.MOST_BAD_ROWS", 20)
    path = tmp_path / "junk.jsonl.gz"
    path.write_bytes(gzip.compress(b"x\n" * 1_000_000))
    rows = list(read_dataset(path))
    assert len(rows) == 22
    assert "the rest is not read: 21 of the first 21 rows cannot be read" in str(rows[-1])


def test_many_bad_rows_among_good_ones_stop_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragstone.datasets.load.MOST_BAD_ROWS", 20)
    path = tmp_path / "rows.jsonl"
    path.write_text('{"input": "a"}\nx\n{"input": "b"}\n' * 50)
    assert len(list(read_dataset(path))) == 150
