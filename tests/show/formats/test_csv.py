import csv
import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.findings.sample import HOSTILE, fixed_report, report_of
from tests.testing.for_each import for_each

from ragstone.findings import Report
from ragstone.findings.printable import printable
from ragstone.show.formats.csv import _CONTROL, COLUMNS, _cell, write

pd: Any = pytest.importorskip("pandas")


def written(report: Report) -> bytes:
    file = io.BytesIO()
    write(report, file)
    return file.getvalue()


def rows(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written(report).decode(), newline="")))


def test_csv_has_one_row_per_result_in_order() -> None:
    found = rows(fixed_report())
    assert len(found) == 36
    assert list(found[0]) == [column.name for column in COLUMNS]
    assert (found[6]["metric"], found[6]["status"], found[6]["score"]) == (
        "Faithfulness",
        "missed",
        str(1 / 3),
    )
    assert (found[12]["status"], found[12]["score"]) == ("not_measured", "")


def test_a_data_frame_reads_it() -> None:
    frame = pd.read_csv(io.BytesIO(written(fixed_report())))
    assert frame["score"].count() == 26
    assert frame["success"].dtype == bool


@for_each(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\tx",
        " =1+1",
        "=cmd|' /C calc'!A0",
        "- a bullet",
        "\uff1d1+1",
        "\uff0b1",
        "\uff0d1",
        "\uff20SUM(A1)",
        "\u200b=1",
        "\ufeff@A1",
    ],
)
def test_no_text_is_run_as_a_formula(text: str) -> None:
    found = rows(report_of(text))[0]
    assert found["input"] == f"'{text}"
    assert found["reason"] == f"'{text}"


@for_each(
    "text, cell",
    [
        ("\n=1+1", "'\n'=1+1"),
        ("\u00a0\n =1", "'\u00a0\n '=1"),
        ("x;=1+1", "x;'=1+1"),
        ("x; \t@A1;\uff1d2", "x; \t'@A1;'\uff1d2"),
        ("x\n=1+1\r\n+2", "x\n'=1+1\r\n'+2"),
        ("x\n- cmd|' /C calc'!A0", "x\n'- cmd|' /C calc'!A0"),
        ("x\n- one;=2", "x\n'- one;'=2"),
        ("Two steps:\n- one\n- two\n", "Two steps:\n- one\n- two\n"),
        ("\n\nYes; no - 3 = 4.", "\n\nYes; no - 3 = 4."),
    ],
)
def test_no_text_is_run_as_a_formula_where_the_separator_is_a_semicolon(text: str, cell: str) -> None:
    found = rows(report_of(text))[0]
    assert (found["input"], found["reason"]) == (cell, cell)


@given(st.text(st.sampled_from("=+-@;\t\n\r x1\uff1d\u200b(|"), max_size=12))
def test_no_cell_of_any_separator_begins_with_a_formula(text: str) -> None:
    for piece in re.split(r"[;\t\r\n]", str(_cell(text))):
        bare = piece.lstrip(" \u200b")
        assert not bare.startswith(("=", "@", "\uff1d")), _cell(text)
        assert not bare.startswith(("+", "-")) or not set("(|") & set(bare), _cell(text)


@for_each("unit", ["\n", " ", "\n- x", "\t;", "- ", "=;"])
def test_a_long_cell_takes_linear_time(unit: str) -> None:
    assert len(str(_cell(unit * 300_000))) >= 300_000


def test_hostile_text_stays_in_its_cell() -> None:
    found = rows(report_of(HOSTILE))
    assert len(found) == 5
    assert found[0]["reason"] == _CONTROL.sub(lambda sign: printable(sign[0]), HOSTILE)


def test_a_csv_file_contains_no_control_character() -> None:
    text = "\x1b]0;title\x07\x1b[2J\0\x08\x7f\x9b1m\u202egnp.exe kept:\t\u200c\n\r\n"
    found = written(report_of(text)).decode()
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]", found)
    assert "␛]0;title␇␛[2J␀␈␡⟨U+009B⟩1m⟨U+202E⟩gnp.exe kept:\t\u200c" in found
