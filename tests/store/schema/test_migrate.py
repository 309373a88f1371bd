import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, text

from ragstone import evaluate
from ragstone.errors import StoreError
from ragstone.findings.stored import report_from_store
from ragstone.metrics import ExactMatch
from ragstone.store import CaseQuery, open_store
from ragstone.store.schema.migrate import HEAD
from ragstone.store.schema.tables import METADATA

SAME = {"input": "q", "actual_output": "a", "expected_output": "a"}


def shape(engine: Engine) -> dict[str, tuple[set[str], set[str | None]]]:
    """The columns and indexes of each table."""
    found = inspect(engine)
    return {
        table: (
            {column["name"] for column in found.get_columns(table)},
            {index["name"] for index in found.get_indexes(table)},
        )
        for table in METADATA.tables
    }


def recorded(path: Path) -> Path:
    """A store that the schema before wrote: two runs over three cases, one of which has no passages."""
    with closing(sqlite3.connect(path)) as old:
        old.executescript((Path(__file__).parents[1] / "data" / "version_0007.sql").read_text())
    return path


def test_new_store_is_stamped_with_the_newest_version(store_url: str) -> None:
    store = open_store(store_url)
    with store._engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == HEAD
    store.close()


def test_upgraded_store_has_the_tables_of_a_new_one(tmp_path: Path) -> None:
    upgraded, new = open_store(recorded(tmp_path / "old.sqlite3")), open_store(tmp_path / "new.sqlite3")
    assert shape(upgraded._engine) == shape(new._engine)
    triggers = text("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    for store in (upgraded, new):
        with store._engine.connect() as connection:
            found = [*connection.execute(triggers).scalars()]
        assert found == ["audit_log_delete", "audit_log_insert", "audit_log_update"]


def test_results_of_an_older_store_have_the_five_statuses(tmp_path: Path) -> None:
    store = open_store(recorded(tmp_path / "old.sqlite3"))
    run = next(stored for stored in store.runs() if stored.run.plan.name is None)
    report = report_from_store(store, run)
    assert [[result.status for result in results] for results in report.results] == [
        ["missed", "passed"],
        ["passed", "passed"],
        ["not_measured", "not_measured"],
    ]
    figure = report.summary()["Faithfulness"]
    assert (figure.n, figure.passed, figure.missed, figure.not_measured) == (2, 1, 1, 1)
    assert (figure.low, figure.mean, figure.high) == (0.5, 0.5, 0.5)
    page = store.table(run).page(CaseQuery(status="not_measured"))
    assert [line.not_measured for line in page.lines] == [2]
    assert store.figures(run).metrics[0].figure() == figure
    assert report.exit_code == 3


def test_store_of_a_newer_version_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    _stamped(path, "9999")
    with pytest.raises(StoreError, match="was written by a newer ragstone"):
        open_store(path)


def test_store_of_a_version_before_the_first_release_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    _stamped(path, "0003")
    with pytest.raises(StoreError, match="before its first release"):
        open_store(path)


def _stamped(path: Path, version: str) -> None:
    store = open_store(path)
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    store.close()


def test_database_of_another_application_is_rejected_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE runs (what TEXT)")
        other.commit()
    with pytest.raises(StoreError, match="another application's database"):
        open_store(path)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("runs",)]


def test_damaged_store_error_does_not_show_content(tmp_path: Path) -> None:
    path = tmp_path / "damaged.sqlite3"
    whole = tmp_path / "runs.sqlite3"
    evaluate([{**SAME, "input": f"secret {n}"} for n in range(300)], [ExactMatch()], store=whole)
    with closing(sqlite3.connect(whole)) as here, closing(sqlite3.connect(path)) as there:
        here.backup(there)
    content = bytearray(path.read_bytes())
    content[8192:] = b"\x07" * (len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="cannot be read") as caught:
        list(open_store(path).results(open_store(path).runs()[0]))
    assert "SELECT" not in str(caught.value)
    path.write_bytes(b"no database " * 100)
    with pytest.raises(StoreError, match="not a database"):
        open_store(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_store_is_readable_by_its_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "runs.sqlite3"
    store = open_store(path)
    evaluate([SAME], [ExactMatch()], store=path)
    modes = {file.name: oct(file.stat().st_mode & 0o777) for file in path.parent.iterdir()}
    assert set(modes.values()) == {"0o600"}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    store.close()


def test_results_of_a_watch_get_the_bounds_of_their_score(tmp_path: Path) -> None:
    path = recorded(tmp_path / "old.sqlite3")
    row = (
        "INSERT INTO watch_results (watch, unit, judged_by, metric_index, trace_id, metric, status, score, "
        "probability, received, judged, revision, app_release, run, case_index) "
        "VALUES ('w', '{unit}', 'all', 0, 't', 'm', '{status}', {score}, 1, 0, 0, 1, '', 1, 0)"
    )
    kinds = {"a": ("PASS", "0.75"), "b": ("ERROR", "NULL")}
    with closing(sqlite3.connect(path)) as old:
        for unit, (status, score) in kinds.items():
            old.execute(row.format(unit=unit, status=status, score=score))
        old.commit()
    store = open_store(path)
    with store._engine.connect() as connection:
        found = connection.execute(
            text("SELECT status, score, low, high FROM watch_results ORDER BY unit")
        ).all()
    assert [tuple(each) for each in found] == [
        ("passed", 0.75, 0.75, 0.75),
        ("not_measured", None, None, None),
    ]
