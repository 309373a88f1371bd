"""Opens the database at a file or URL, with its schema up to date."""

from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import finalize

from platformdirs import user_data_path
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    InterfaceError,
    InternalError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ragstone.errors import BadOption, MissingExtra, StoreError
from ragstone.private_file import create_privately
from ragstone.store.schema.migrate import upgrade_schema

DATABASE_ERRORS = (SQLAlchemyError, StoreError)  # errors of a store: of its database, and our own
_DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg", "sqlite": "sqlite"}
_PRAGMAS = ("journal_mode = WAL", "synchronous = NORMAL", "busy_timeout = 30000")


def default_path() -> Path:
    """Return the default file, in the user's data folder."""
    return user_data_path("ragstone") / "runs.sqlite3"


def connect(where: bool | str | Path | None) -> Engine:  # noqa: FBT001  (as users write it)
    """Return an engine on a database with all tables.

    Args:
        where: a file, a URL (`sqlite:///…`, `postgresql://…`), or True or None for the file in the user's data folder.

    Raises:
        BadOption: it is neither.
        MissingExtra: there is no driver for PostgreSQL.
        StoreError: the database cannot be opened, or was written by a newer ragstone.
    """
    url = _url(where)
    if url.get_backend_name() == "sqlite" and url.database:
        _make_file(Path(url.database))
    try:
        # A file does not become unavailable as a server does: connections to it are not tested before each use.
        engine = create_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite")
        _close_when_collected(engine)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _set_pragmas)
            event.listen(engine, "handle_error", _explain_damage)
        upgrade_schema(engine)
    except ModuleNotFoundError as error:
        raise MissingExtra("A store in PostgreSQL", "postgres") from error
    except SQLAlchemyError as error:
        raise StoreError(
            f"The store {display_name(url)} cannot be opened: {database_message(error)}"
        ) from error
    return engine


def display_name(url: URL) -> str:
    """Return a URL without its password, for messages."""
    is_file = url.get_backend_name() == "sqlite"
    return url.database or "" if is_file else url.render_as_string(hide_password=True)


def database_message(error: BaseException) -> str:
    """Return the database's own message, in one line, without the statement and its values; others as they are."""
    return " ".join(str(getattr(error, "orig", None) or error).split())


def is_database_failure(error: BaseException) -> bool:
    """Return whether the database itself failed, such as by a lock or a full disk; another attempt may succeed."""
    return isinstance(error, OperationalError | InterfaceError | InternalError | PoolTimeout | StoreError)


def _url(where: bool | str | Path | None) -> URL:  # noqa: FBT001
    if where is None or where is True:
        where = default_path()
    if isinstance(where, Path) or (isinstance(where, str) and "://" not in where and where):
        return URL.create("sqlite", database=str(Path(where).expanduser()))
    try:
        url = make_url(str(where))
        return url.set(drivername=_DRIVERS[url.drivername.partition("+")[0]])
    except (ArgumentError, NoSuchModuleError, KeyError) as error:
        raise BadOption(
            f"{where!r} is not a store: give a file such as runs.sqlite3, or postgresql://user@host/database"
        ) from error


def _make_file(path: Path) -> None:
    """Create folder and file, readable by their user alone: prompts and answers may be confidential."""
    try:
        if str(path) != ":memory:":
            create_privately(path)
    except OSError as error:
        raise StoreError(
            f"The store {path} cannot be created: {error.strerror}. Name another file."
        ) from error


def _close_when_collected(engine: Engine) -> None:
    """Close an engine's connections when it is garbage-collected, for example together with a report.

    The connections are kept in a set and not taken from the pool, which refers to its engine and would keep it alive.
    """
    connections: set[Any] = set()

    def opened(connection: Any, record: object) -> None:  # noqa: ANN401, ARG001  (the driver's own)
        connections.add(connection)

    def closed(connection: Any, record: object) -> None:  # noqa: ANN401, ARG001
        connections.discard(connection)

    event.listen(engine, "connect", opened)
    event.listen(engine, "close", closed)
    finalize(engine, _close, connections, engine.dialect.loaded_dbapi.Error)


def _close(connections: set[Any], error: type[Exception]) -> None:
    while connections:
        with suppress(error):  # a connection of another thread, to SQLite in memory
            connections.pop().close()


def _set_pragmas(connection: Any, record: object) -> None:  # noqa: ANN401, ARG001  (the driver's own)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _explain_damage(context: Any) -> None:  # noqa: ANN401  (SQLAlchemy's own)
    """Replace the error of a damaged or foreign file, which quotes SQL and rows, by a readable one."""
    message = str(context.original_exception)
    for sign, told in _DAMAGES.items():
        if sign in message:
            name = display_name(context.engine.url)
            raise StoreError(f"The store {name} {told.format(message=message)}") from None


_UNREADABLE = (
    "cannot be read: {message}. It is damaged, or was not created by ragstone: restore it, or name another "
    "store."
)
_DAMAGES = {
    "Could not decode": "is damaged: a text in it is not UTF-8. Restore it from a copy.",
    "readonly database": "can be read only. Name one that can be written, or --no-store.",
    **dict.fromkeys(
        ("malformed", "not a database", "no such table", "no such column", "has no column named"), _UNREADABLE
    ),
}
"""Part of the driver's message → what is told."""
