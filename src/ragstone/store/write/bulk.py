"""Bulk inserts: many rows in one statement cost one call of the driver, not one for each row.

SQLite gets the rows as `VALUES`, PostgreSQL as one JSON text that it takes apart itself. SQLite's own `executemany`
releases the interpreter lock and acquires it again for each row, and each time it may wait for the event loop.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, cast

from pydantic_core import to_json
from sqlalchemy import Connection, Dialect, Table

Row = dict[str, Any]

_MAX_VALUES = 999  # values that every SQLite allows in a statement
_SKIP = "ON CONFLICT DO NOTHING"


def insert_rows(connection: Connection, table: Table, rows: Sequence[Row], conflict: str = _SKIP) -> int:
    """Insert rows with the same columns; return how many were written.

    Args:
        connection: the connection, in a transaction.
        table: the table.
        rows: the rows to insert.
        conflict: the clause for rows that exist; by default they stay unchanged.
    """
    written = 0
    for batch in _row_batches(connection, rows):
        names = tuple(batch[0])
        if connection.dialect.name == "sqlite":
            sql = f"{_values_sql(table, names, len(batch))} {conflict}"
            values = cast("Callable[[Row], tuple[Any, ...]]", itemgetter(*names))
            parameters = tuple(chain.from_iterable(map(values, batch)))
        else:
            sql, parameters = (
                f"{_json_sql(connection.dialect, table, names)} {conflict}",
                (to_json(batch).decode(),),
            )
        written += connection.exec_driver_sql(sql, parameters).rowcount
    return written


def placeholders(connection: Connection, sql: str) -> str:
    """Return a statement with the driver's own placeholders instead of question marks."""
    return sql if connection.dialect.name == "sqlite" else sql.replace("?", "%s")


def padded(values: Sequence[Any]) -> list[Any]:
    """Return values padded with the last one to a power of two, so that lists have few lengths and few statements."""
    length = 1 << (len(values) - 1).bit_length()
    return [*values, *[values[-1]] * (length - len(values))]


def _row_batches(connection: Connection, rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    size = _MAX_VALUES // len(rows[0]) if rows and connection.dialect.name == "sqlite" else len(rows)
    return (rows[start : start + size] for start in range(0, len(rows), size or 1))


@cache
def _values_sql(table: Table, names: tuple[str, ...], count: int) -> str:
    row = f"({', '.join('?' * len(names))})"
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES {', '.join([row] * count)}"  # noqa: S608  (our own names)


@cache
def _json_sql(dialect: Dialect, table: Table, names: tuple[str, ...]) -> str:
    columns = ", ".join(names)
    types = ", ".join(f"{name} {table.c[name].type.compile(dialect)}" for name in names)
    return (
        f"INSERT INTO {table.name} ({columns}) SELECT {columns} FROM json_to_recordset(%s) AS given ({types})"  # noqa: S608  (likewise)
    )
