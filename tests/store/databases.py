"""A store of each kind: SQLite always, PostgreSQL where it is installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.postgres import available, postgres
from sqlalchemy import create_engine, text
from tests.testing.shared import postgres_server


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    pytest.importorskip("psycopg", reason="psycopg is not installed: the store in PostgreSQL is not tested")
    if not available():
        pytest.skip("PostgreSQL (initdb, pg_ctl) is not installed: the store in it is not tested")
    shared = postgres_server()
    if shared is not None:
        yield shared
        return
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty store of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "deep" / "runs.sqlite3")
        return
    url: str = request.getfixturevalue("postgres_url")
    name = f"db{abs(hash(str(tmp_path)))}"
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        yield url.rsplit("/", 1)[0] + f"/{name}"
        # This closes the connections of stores that are not garbage-collected yet: the server has 100 in all.
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()
