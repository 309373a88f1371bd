import io
import sys
from typing import Any

import pytest
from tests.findings.sample import HOSTILE, fixed_report, report_of

from ragstone.errors import MissingExtra
from ragstone.show.formats import parquet
from ragstone.show.formats.csv import COLUMNS

pq: Any = pytest.importorskip("pyarrow.parquet")


def test_parquet_has_one_typed_row_per_result() -> None:
    file = io.BytesIO()
    parquet.write(fixed_report(), file)
    table = pq.read_table(io.BytesIO(file.getvalue()))
    assert table.column_names == [column.name for column in COLUMNS]
    assert table.num_rows == 36
    assert table.column("score").to_pylist()[6] == 1 / 3
    assert table.column("score").null_count == 10
    assert str(table.schema.field("success").type) == "bool"


def test_hostile_text_round_trips_through_parquet() -> None:
    file = io.BytesIO()
    parquet.write(report_of(HOSTILE), file)
    assert pq.read_table(io.BytesIO(file.getvalue())).column("reason").to_pylist()[0] == HOSTILE


def test_missing_pyarrow_names_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[parquet\]'"):
        parquet.require()
