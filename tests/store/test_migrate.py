from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from ragstone.errors import StoreError
from ragstone.store import open_store
from ragstone.store._migrate import HEAD, MIGRATIONS
from ragstone.store._tables import METADATA


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
