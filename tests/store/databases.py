"""A store of each kind: SQLite always, PostgreSQL where it is installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from benchmarks.postgres import available, postgres
from sqlalchemy import Connection, create_engine, text
from tests.testing.shared import postgres_server

_EMPTY = "empty_store"
"""Names the database with an empty store that those of the tests are copies of: a copy takes a third of the CPU."""


@contextmanager
def postgres_with_empty_store() -> Iterator[str]:
    """Run PostgreSQL."""
    from ragstone.store import open_store  # noqa: PLC0415  (needed where there is PostgreSQL)

    with postgres() as url:
        with _administered(url) as connection:
            connection.execute(text(f"CREATE DATABASE {_EMPTY}"))
        open_store(_at(url, _EMPTY)).close()
        yield url


def _at(url: str, name: str) -> str:
    return url.rsplit("/", 1)[0] + f"/{name}"


@contextmanager
def _administered(url: str) -> Iterator[Connection]:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    pytest.importorskip("psycopg", reason="psycopg is not installed: the store in PostgreSQL is not tested")
    if not available():
        pytest.skip("PostgreSQL (initdb, pg_ctl) is not installed: the store in it is not tested")
    shared = postgres_server()
    if shared is not None:
        yield shared
        return
    with postgres_with_empty_store() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty store of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "deep" / "runs.sqlite3")
        return
    url: str = request.getfixturevalue("postgres_url")
    name = f"db{abs(hash(str(tmp_path)))}"
    with _administered(url) as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {_EMPTY}"))
        yield _at(url, name)
        # This closes the connections of stores that are not garbage-collected yet: the server has 300 in all.
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
