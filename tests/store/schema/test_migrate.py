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
from ragstone.store.schema.connect import _url
from ragstone.store.schema.migrate import HEAD, MIGRATIONS
from ragstone.store.schema.tables import CASES, EXCHANGES, METADATA, RESULTS, RUN_CASES, RUN_METRICS, RUNS


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


def test_the_newest_migration_is_the_one_we_know() -> None:
    assert ScriptDirectory.from_config(config()).get_current_head() == HEAD


def test_migrating_leads_to_the_tables_that_a_new_store_has(tmp_path: Path) -> None:
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


def test_a_new_store_has_the_tables_and_the_stamp(store_url: str) -> None:
    store = open_store(store_url)
    with store._engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == HEAD
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    store.close()


def test_a_store_of_a_newer_ragstone_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    store = open_store(path)
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match="was written by a newer ragstone"):
        open_store(path)


TABLES = (RUNS, CASES, RESULTS, EXCHANGES)


def rows(connection: Connection, table: object) -> list[dict[str, object]]:
    found = [dict(row) for row in connection.execute(select(table)).mappings()]  # type: ignore[call-overload]
    return sorted(found, key=str)


def test_a_store_of_the_first_version_tells_all_that_a_new_one_tells(store_url: str, tmp_path: Path) -> None:
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
