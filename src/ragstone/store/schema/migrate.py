"""Keeps the schema at the version that this ragstone knows.

A new database is created in one go and stamped; an older one is upgraded by Alembic's migrations, which are imported
only then. A test compares the results of both.
"""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from ragstone.errors import StoreError
from ragstone.store.schema.tables import METADATA

HEAD = "0007"
"""The newest migration."""

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_ID = 7_248_061
_CREATE_VERSION_TABLE = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


def upgrade_schema(engine: Engine) -> None:
    """Create the tables, or migrate them; one process at a time.

    Raises:
        StoreError: a newer ragstone, or another application, has written here.
    """
    with engine.connect() as connection:
        if _read_version(connection) == HEAD:
            return
        connection.rollback()
        _lock(connection)
        version = _read_version(connection)
        if version is None:
            _refuse_foreign(connection)
            METADATA.create_all(connection, checkfirst=False)
            connection.execute(text(_CREATE_VERSION_TABLE))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
        elif version != HEAD:
            _upgrade(connection, version)
        connection.commit()


def _lock(connection: Connection) -> None:
    """Exclude other processes until the transaction ends."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK_ID})


def _read_version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _refuse_foreign(connection: Connection) -> None:
    """Refuse a database that has tables of our names, but was not made by ragstone."""
    taken = sorted(set(inspect(connection).get_table_names()) & METADATA.tables.keys())
    if taken:
        raise StoreError(
            f"{connection.engine.url.database} is another application's database: it has a table {taken[0]!r} that "
            "ragstone did not create. Name another store."
        )


def _upgrade(connection: Connection, version: str) -> None:
    from alembic import command  # noqa: PLC0415  (only an old database needs it)
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        ScriptDirectory.from_config(config).get_revision(version)
    except CommandError as error:
        raise StoreError(
            f"The store {connection.engine.url.database} was written by a newer ragstone (schema {version}; this "
            f"version reads up to {HEAD}): upgrade ragstone, or name another store."
        ) from error
    command.upgrade(config, "head")
