"""Results in the forms in which people save tables: the same reader as for datasets, and bounds on what is unpacked."""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from ragstone.errors import BadDataset
from ragstone.findings import Report
from ragstone.findings.load import load_report

ROWS: list[dict[str, Any]] = [
    {
        "question": "Où est le quai ?",
        "answer": "Près du phare.",
        "faithfulness": 0.71,
        "answer_relevancy": 0.91,
    },
    {
        "question": "Quand ouvre-t-il ?",
        "answer": "À neuf heures.",
        "faithfulness": 1.0,
        "answer_relevancy": None,
    },
]
COLUMNS = list(ROWS[0])


def table(separator: str, comma: str = ".") -> str:
    lines = [COLUMNS, *([str("" if value is None else value) for value in row.values()] for row in ROWS)]
    return "".join(
        separator.join(cell.replace("0.", f"0{comma}").replace("1.", f"1{comma}") for cell in line) + "\n"
        for line in lines
    )


def parquet(path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), path)


def text(content: str | bytes) -> Callable[[Path], Any]:
    return lambda path: path.write_bytes(content.encode() if isinstance(content, str) else content)


BY_COLUMN = {name: [row[name] for row in ROWS] for name in COLUMNS}
FORMS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "comma": ("r.csv", text(table(","))),
    "semicolon with decimal comma in Windows-1252": ("r.csv", text(table(";", ",").encode("cp1252"))),
    "tab": ("r.tsv", text(table("\t"))),
    "UTF-16": ("r.csv", text(table("\t").encode("utf-16"))),
    "gzip": ("r.csv.gz", text(gzip.compress(table(",").encode()))),
    "Parquet": ("r.parquet", parquet),
    "records": ("r.json", text(json.dumps(ROWS))),
    "records in gzip": ("r.json.gz", text(gzip.compress(json.dumps(ROWS).encode()))),
    "lines": ("r.jsonl", text("".join(json.dumps(row) + "\n" for row in ROWS))),
    "columns": ("r.json", text(json.dumps(BY_COLUMN))),
    "columns by index, as pandas writes by default": (
        "r.json",
        text(json.dumps({name: dict(enumerate(values)) for name, values in BY_COLUMN.items()})),
    ),
    "split": (
        "r.json",
        text(json.dumps({"columns": COLUMNS, "index": [0, 1], "data": [list(row.values()) for row in ROWS]})),
    ),
    "under a name": ("r.json", text(json.dumps({"results": ROWS}))),
}


@pytest.mark.parametrize("form", FORMS)
def test_table_is_read_in_the_forms_of_a_dataset(form: str, tmp_path: Path) -> None:
    name, write = FORMS[form]
    write(tmp_path / name)
    report = load_report(tmp_path / name)
    assert report.run.plan.metrics == ("faithfulness", "answer_relevancy")
    assert [case.input for case in report.cases] == [row["question"] for row in ROWS]
    assert [case.actual_output for case in report.cases] == [row["answer"] for row in ROWS]
    assert [[result.score for result in row] for row in report.results] == [[0.71, 0.91], [1.0, None]]
    assert not report.rejected


def read(tmp_path: Path, content: str, name: str = "results.csv") -> Report:
    (tmp_path / name).write_text(content)
    return load_report(tmp_path / name)


@pytest.mark.parametrize("labels", [("1", "0"), ("yes", "no"), ("True", "False"), ("5", "2")])
@pytest.mark.parametrize("column", ["human", "my opinion", "correct_by_expert", "good"])
def test_labels_stay_in_the_metadata(tmp_path: Path, column: str, labels: tuple[str, str]) -> None:
    rows = "".join(f"Question {n}?,Answer.,0.5,{label}\n" for n, label in enumerate(labels))
    report = read(tmp_path, f"user_input,response,faithfulness,{column}\n{rows}")
    assert report.run.plan.metrics == ("faithfulness",)
    assert [case.metadata[column] for case in report.cases] == list(labels)


@pytest.mark.parametrize(
    "column",
    [
        "Context Precision",
        "factual_correctness(mode=f1)",
        "tone_score",
        "Helpful [GEval]",
        "feedback.tone",
        "ndcg@10",
    ],
)
def test_column_is_a_metric_by_its_name(tmp_path: Path, column: str) -> None:
    assert read(tmp_path, f"question,{column},top_k\nWhy?,0.5,1\n").run.plan.metrics == (column,)


def test_same_question_in_three_settings_stays_three_cases(tmp_path: Path) -> None:
    rows = "".join(f"Why?,Because.,{score},{k}\n" for k, score in ((1, 0.2), (3, 0.5), (5, 0.9)))
    report = read(tmp_path, f"question,answer,faithfulness,top_k\n{rows}")
    assert [case.metadata["top_k"] for case in report.cases] == ["1", "3", "5"]
    assert [row[0].score for row in report.results] == [0.2, 0.5, 0.9]
    rows = "".join(f"7,Why?,{answer},0.5\n" for answer in ("A.", "B.", "B."))
    report = read(tmp_path, f"id,question,answer,faithfulness\n{rows}")
    assert [case.id for case in report.cases] == ["7", "7 (2)", "7 (3)"]


def test_case_has_the_same_id_whatever_the_answer(tmp_path: Path) -> None:
    before = read(tmp_path, "question,answer,faithfulness,top_k\nWhy?,A.,0.5,1\nWhy?,A.,0.5,3\n")
    after = read(tmp_path, "question,answer,faithfulness,top_k\nWhy?,B.,0.5,1\nWhy?,C.,0.5,3\n")
    assert [case.id for case in before.cases] == [case.id for case in after.cases]


def test_row_with_the_means_is_left_out(tmp_path: Path) -> None:
    report = read(tmp_path, "question;faithfulness\nQui ?;0,5\nQuoi ?;1,0\nMOYENNE GÉNÉRALE;0,75\n")
    assert [case.input for case in report.cases] == ["Qui ?", "Quoi ?"]
    assert "A row with the means of the others is left out." in report.run.notes
    report = read(tmp_path, "question;faithfulness\nQui ?;0,5\nMean time?;1,0\n")
    assert len(report.cases) == 2


def test_metric_out_of_its_scale_stays_in_the_metadata_with_a_note(tmp_path: Path) -> None:
    report = read(tmp_path, "question,faithfulness,correctness\nWhy?,0.5,4\nWho?,0.5,1\n")
    assert report.run.plan.metrics == ("faithfulness",)
    assert report.cases[0].metadata == {"correctness": "4"}
    assert any(note.startswith("correctness is left out") for note in report.run.notes)


def deepeval(score: str, name: str = "m", success: str = "true") -> str:
    metric = f'{{"name": "{name}", "score": {score}, "threshold": 0.5, "success": {success}}}'
    return f'{{"testCases": [{{"input": "q", "actualOutput": "a", "metricsData": [{metric}]}}]}}'


def test_integer_of_400_digits_is_no_score(tmp_path: Path) -> None:
    report = read(tmp_path, deepeval("1" + "0" * 400), "run.json")
    assert report.results[0][0].score is None


def test_file_cannot_turn_a_known_metric_around(tmp_path: Path) -> None:
    result = read(tmp_path, deepeval("0.1", "Faithfulness"), "run.json").results[0][0]
    assert result.higher_is_better
    assert not read(tmp_path, deepeval("0.1", "Hallucination"), "run.json").results[0][0].higher_is_better


@pytest.mark.parametrize("suffix", [".json.gz", ".eval"])
def test_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, suffix: str) -> None:
    path, text = tmp_path / f"log{suffix}", b" " * (40 * 1024 * 1024)
    if suffix == ".eval":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("header.json", b"{}")
            file.writestr("samples/1.json", text)
    else:
        path.write_bytes(gzip.compress(b"[" + text))
    with pytest.raises(BadDataset, match="too much for its size"):
        load_report(path)


def test_file_with_too_many_values_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.json.gz"
    path.write_bytes(gzip.compress(b"[" + b"{}," * 3_000_000))
    with pytest.raises(BadDataset, match="too many for its size"):
        load_report(path)


def test_cut_off_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDataset, match="line 2 is not JSON"):
        read(tmp_path, '{"question": "Why?", "faithfulness": 1}\n{"question": "Who', "results.jsonl")
