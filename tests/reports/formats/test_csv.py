import csv
import io
from typing import Any

import pytest
from tests.reports.sample import HOSTILE, fixed_report, report_of

from ragstone.reports import Report
from ragstone.reports.formats.columns import COLUMNS
from ragstone.reports.formats.csv import write

pd: Any = pytest.importorskip("pandas")


def written(report: Report) -> bytes:
    file = io.BytesIO()
    write(report, file)
    return file.getvalue()


def rows(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written(report).decode(), newline="")))


def test_a_row_a_result_in_input_order() -> None:
    found = rows(fixed_report())
    assert len(found) == 36
    assert list(found[0]) == [column.name for column in COLUMNS]
    assert (found[6]["metric"], found[6]["status"], found[6]["score"]) == ("Faithfulness", "FAIL", str(1 / 3))
    assert (found[12]["status"], found[12]["score"]) == ("ERROR", "")


def test_a_data_frame_reads_it() -> None:
    frame = pd.read_csv(io.BytesIO(written(fixed_report())))
    assert frame["score"].count() == 26
    assert frame["success"].dtype == bool


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", " =1+1", "=cmd|' /C calc'!A0"])
def test_no_text_is_run_as_a_formula(text: str) -> None:
    found = rows(report_of(text))[0]
    assert found["input"] == f"'{text}"
    assert found["reason"] == f"'{text}"


def test_hostile_text_stays_in_its_cell() -> None:
    found = rows(report_of(HOSTILE))
    assert len(found) == 5
    assert found[0]["reason"] == HOSTILE.replace("\0", "")
