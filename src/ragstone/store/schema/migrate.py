"""Keeps the schema at the version that this ragstone knows.

A new database is created in one go; an older one is upgraded step by step, each step a function. A test compares the
results of both.
"""

from collections.abc import Callable

from sqlalchemy import Connection, Engine, Index, Table, inspect, text

from ragstone.errors import StoreError
from ragstone.store.schema.tables import ANSWERS, AUDIT_LOG, METADATA, RESULTS, RUN_CASES, TOKENS

_LOCK_ID = 7_248_061
_VERSION_TABLE = "alembic_version"  # the name under which stores have kept their version so far


def upgrade_schema(engine: Engine) -> None:
    """Create the tables, or upgrade them; one process at a time.

    Raises:
        StoreError: a newer ragstone, one before the first release, or another application has written here.
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
            version_column = "version_num VARCHAR(32) NOT NULL PRIMARY KEY"
            connection.execute(text(f"CREATE TABLE {_VERSION_TABLE} ({version_column})"))
            connection.execute(text(f"INSERT INTO {_VERSION_TABLE} VALUES (:head)"), {"head": HEAD})  # noqa: S608  (our own name)
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
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar()  # noqa: S608  (our own name)


def _refuse_foreign(connection: Connection) -> None:
    """Refuse a database that has tables of our names, but was not made by ragstone."""
    taken = sorted(set(inspect(connection).get_table_names()) & METADATA.tables.keys())
    if taken:
        raise StoreError(
            f"{connection.engine.url.database} is another application's database: it has a table {taken[0]!r} that "
            "ragstone did not create. Name another store."
        )


def _upgrade(connection: Connection, version: str) -> None:
    if version not in _VERSIONS:
        relation = "a newer ragstone" if version > HEAD else "a ragstone before its first release"
        raise StoreError(
            f"The store {connection.engine.url.database} was written by {relation} (schema {version}; this version "
            f"reads {_VERSIONS[0]} to {HEAD}): use that version, or name another store."
        )
    for step in _STEPS[_VERSIONS.index(version) :]:
        step(connection)
    connection.execute(text(f"UPDATE {_VERSION_TABLE} SET version_num = :head"), {"head": HEAD})  # noqa: S608  (our own name)


def _five_statuses(connection: Connection) -> None:
    """0007 to 0008: results have one of five statuses and the bounds of their score; sums count them."""
    if connection.dialect.name == "postgresql":
        for table in ("results", "watch_results"):
            connection.execute(text(f"ALTER TABLE {table} ALTER COLUMN status TYPE VARCHAR(16)"))
        connection.execute(text("ALTER TABLE annotations ALTER COLUMN verdict TYPE VARCHAR(16)"))
    names = {"PASS": "passed", "FAIL": "missed", "ERROR": "not_measured", "SKIPPED": "skipped"}
    for table in ("results", "watch_results"):
        for old, new in names.items():
            statement = text(f"UPDATE {table} SET status = :new WHERE status = :old")  # noqa: S608  (our own names)
            connection.execute(statement, {"old": old, "new": new})
    for index in _indexes(RUN_CASES, "run_cases_by_worst"):
        index.drop(connection)
    for statement in _ALTERATIONS:
        connection.execute(text(statement))
    for index in _indexes(RUN_CASES, "run_cases_by_worst"):
        index.create(connection)


def _indexes(table: Table, *names: str) -> list[Index]:
    return [index for index in table.indexes if index.name in names]


_ALTERATIONS = (
    "ALTER TABLE results ADD COLUMN low FLOAT",
    "ALTER TABLE results ADD COLUMN high FLOAT",
    "ALTER TABLE run_cases RENAME COLUMN failed TO not_measured",
    "ALTER TABLE run_cases ADD COLUMN undecided INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE run_metrics RENAME COLUMN failed TO not_measured",
    *(
        f"ALTER TABLE run_metrics ADD COLUMN {column} NOT NULL DEFAULT 0"
        for column in ("undecided BIGINT", "measured BIGINT", "scored BIGINT", "low FLOAT", "high FLOAT")
    ),
    "UPDATE run_metrics SET measured = passed + missed, scored = passed + missed, low = score, high = score",
    "UPDATE runs SET version = version || '+0007'",  # the JSON of its results has no status yet
)


def _bounds_of_watch_results(connection: Connection) -> None:
    """0008 to 0009: results of a watch have the bounds of their score; an undecided one may have any."""
    for name, extreme in (("low", 0), ("high", 1)):
        connection.execute(text(f"ALTER TABLE watch_results ADD COLUMN {name} FLOAT"))
        bound = f"CASE status WHEN 'undecided' THEN {extreme} ELSE score END"
        connection.execute(text(f"UPDATE watch_results SET {name} = {bound}"))  # noqa: S608  (our own names)


def _labels(connection: Connection) -> None:
    """0011 to 0012: results have a label; the indexes that hold what figures rest on hold it too."""
    indexes = _indexes(RESULTS, "results_by_metric", "results_by_case")
    for index in indexes:
        index.drop(connection)
    for table in ("results", "watch_results"):
        connection.execute(text(f"ALTER TABLE {table} ADD COLUMN label VARCHAR(200)"))
    connection.execute(text("ALTER TABLE run_metrics ADD COLUMN labelled BIGINT NOT NULL DEFAULT 0"))
    # The JSON of its results has no label yet.
    connection.execute(text("UPDATE runs SET version = version || '+0011'"))
    for index in indexes:
        index.create(connection)


_VERSIONS = ("0007", "0008", "0009", "0010", "0011", "0012")
_STEPS: tuple[Callable[[Connection], None], ...] = (
    _five_statuses,
    _bounds_of_watch_results,
    ANSWERS.create,
    lambda connection: METADATA.create_all(connection, tables=[AUDIT_LOG, TOKENS]),
    _labels,
)
"""The step after each version but the newest; the third and fourth add what applications answered, and who did what."""

HEAD = _VERSIONS[-1]  # the newest version
