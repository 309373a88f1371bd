import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, insert, select, text
from sqlalchemy.engine import Connection

from ragstone import evaluate
from ragstone.errors import StoreError
from ragstone.metrics import EditSimilarity, ExactMatch
from ragstone.store import CaseQuery, open_store
from ragstone.store.queue.claims import CompletionRule
from ragstone.store.queue.scores import read_window
from ragstone.store.queue.trace_queue import open_queue
from ragstone.store.schema.connect import _url
from ragstone.store.schema.migrate import HEAD, MIGRATIONS
from ragstone.store.schema.tables import (
    CASES,
    EXCHANGES,
    METADATA,
    RESULTS,
    RUN_CASES,
    RUN_METRICS,
    RUNS,
    WATCH_RESULTS,
)


def config() -> Config:
    found = Config()
    found.set_main_option("script_location", str(MIGRATIONS))
    return found


def differences(url: str) -> list[object]:
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, METADATA)
    engine.dispose()
    return found


def test_head_is_the_newest_migration() -> None:
    assert ScriptDirectory.from_config(config()).get_current_head() == HEAD


def test_migrated_store_has_the_tables_of_a_new_store(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'migrated.sqlite3'}"
    engine = create_engine(url)
    with engine.connect() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, "head")
        connection.commit()
    engine.dispose()
    assert differences(url) == []
    assert open_store(tmp_path / "migrated.sqlite3").runs() == []


def test_new_store_is_stamped_with_head(store_url: str) -> None:
    store = open_store(store_url)
    with store._engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == HEAD
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    store.close()


def test_store_of_a_newer_version_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    store = open_store(path)
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match="was written by a newer ragstone"):
        open_store(path)


SAME = {"input": "q", "actual_output": "a", "expected_output": "a"}
TABLES = (RUNS, CASES, RESULTS, EXCHANGES)


def rows(connection: Connection, table: object) -> list[dict[str, object]]:
    found = [dict(row) for row in connection.execute(select(table)).mappings()]  # type: ignore[call-overload]
    return sorted(found, key=str)


def test_store_of_version_1_migrates_with_all_its_data(store_url: str, tmp_path: Path) -> None:
    cases = [
        {
            "input": f"Größe {n}?",
            "actual_output": f"a{n}",
            "expected_output": f"a{n % 3}",
            "tags": [f"t{n % 2}"],
        }
        for n in range(7)
    ] + [{"input": "bare"}]
    evaluate(
        cases,
        [ExactMatch(), EditSimilarity()],
        store=tmp_path / "new.sqlite3",
        concurrency=1,
        on_missing="error",
    )
    new = open_store(tmp_path / "new.sqlite3")
    old = create_engine(_url(_made(store_url)))
    with old.connect() as there, new._engine.connect() as here:
        settings = config()
        settings.attributes["connection"] = there
        command.upgrade(settings, "0001")
        first = MetaData()
        first.reflect(there)
        for table in TABLES:
            names = {column.name for column in first.tables[table.name].c}
            for row in rows(here, table):
                there.execute(insert(first.tables[table.name]), {key: row[key] for key in row.keys() & names})
        there.commit()
    migrated = open_store(store_url)
    with migrated._engine.connect() as there, new._engine.connect() as here:
        assert compare_metadata(MigrationContext.configure(there), METADATA) == []
        assert rows(there, CASES) == rows(here, CASES)
        for ours, its in zip(
            rows(there, RUN_CASES) + rows(there, RUN_METRICS),
            rows(here, RUN_CASES) + rows(here, RUN_METRICS),
            strict=True,
        ):
            assert ours == pytest.approx(its)
        shortfalls = [
            [(row["serial"], row["shortfall"]) for row in rows(one, RESULTS)] for one in (there, here)
        ]
        assert shortfalls[0] == shortfalls[1]
        assert [(row["done"], row["serial"]) for row in rows(there, RUNS)] == [(16, 16)]
    run = migrated.find("last")
    assert [line.case_index for line in migrated.table(run).page(CaseQuery(text="GRÖSSE 3")).lines] == [3]
    old.dispose()


def _made(url: str) -> str:
    if "://" not in url:
        Path(url).parent.mkdir(parents=True)
    return url


def test_store_of_version_3_migrates_with_all_its_data(tmp_path: Path) -> None:
    """Written by the release before; with annotations, a baseline and two runs over the same cases."""
    path = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(path)) as old:
        old.executescript((Path(__file__).parents[1] / "data" / "version_0003.sql").read_text())
    store = open_store(path)
    assert differences(f"sqlite:///{path}") == []
    first, second = store.find("first"), store.find("second")
    assert store.baselines.run("main") == first.run.id
    table = store.table(first).page(CaseQuery(sort="worst"))
    assert (table.count, sum(line.annotations for line in table.lines)) == (6, 1)
    assert [line.case_index for line in store.table(first).page(CaseQuery(text="GRÖSSE 3")).lines] == [3]
    assert store.table(second).page(CaseQuery(flipped_against=first.number)).count == 0
    assert [len(line.metrics) for line in store.history().lines] == [2, 2]
    assert len(store.results(first)) == 6
    store.delete(store.find_exact(first.run.id))
    assert len(store.cases(second)) == 6


def test_watch_scores_of_version_5_migrate_to_keys_by_unit(store_url: str) -> None:
    old = create_engine(_url(_made(store_url)))
    with old.connect() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, "0005")
        known = MetaData()
        known.reflect(connection)
        figure = {
            "watch": "production",
            "judged_by": "all",
            "metric_index": 0,
            "metric": "exact_match",
            "status": "PASS",
            "probability": 1.0,
            "received": 5.0,
            "judged": 6.0,
            "revision": 1,
            "app_release": "",
            "run": 1,
            "case_index": 0,
        }
        given = [figure | {"trace_id": f"{number:032x}", "score": number / 10} for number in range(1, 4)]
        connection.execute(insert(known.tables["watch_results"]), given)
        waiting = dict.fromkeys(("attempts", "not_before", "lease_until", "bytes"), 0) | {
            **dict.fromkeys(("user_hash", "lease", "error"), ""),
            "trace_id": "t",
            "state": "open",
            "revision": 1,
            "records": 1,
            "first_received": 1.0,
            "last_received": 1.0,
            "rooted": True,
        }
        connection.execute(insert(known.tables["traces"]), [waiting])
        connection.commit()
    queue = open_queue(store_url)
    scores = read_window(queue.engine, "production", 0, 10)
    assert [(int(one.unit, 16), one.score) for one in scores] == [(1, 0.1), (2, 0.2), (3, 0.3)]
    with queue.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        traces = connection.execute(select(WATCH_RESULTS.c.trace_id).order_by(WATCH_RESULTS.c.unit)).scalars()
        assert list(traces) == [one["trace_id"] for one in given]
    (claimed,) = queue.claim(5, CompletionRule(settle=0, idle=0))
    assert (claimed.key, claimed.session) == ("t", "")
    with queue.engine.connect() as connection:
        settings.attributes["connection"] = connection
        command.downgrade(settings, "0005")
        again = connection.execute(select(known.tables["watch_results"])).mappings()
        assert sorted([dict(row) for row in again], key=str) == sorted(given, key=str)
        connection.commit()
    queue.close()
    old.dispose()


def test_a_migration_can_be_undone(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'runs.sqlite3'}")
    with engine.connect() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        for revision in ("0004", "0003", "head"):
            (command.downgrade if revision == "0003" else command.upgrade)(settings, revision)
        connection.commit()
    engine.dispose()
    assert differences(f"sqlite:///{tmp_path / 'runs.sqlite3'}") == []


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
