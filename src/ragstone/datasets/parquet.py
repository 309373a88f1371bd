"""Parquet: rows in batches: a file of any size takes the memory of one. Needs the extra `parquet`."""

import io
from collections.abc import Iterator
from typing import Any

from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import truncated_row
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.errors import BadDataset
from ragstone.plugins import import_extra

_BATCH = 256


def rows(source: Source) -> Iterator[RawRow | BadRow]:
    """Yield the rows of `source`, a few hundred at a time from each row group.

    A Parquet file is read from its end: one that comes packed or through a pipe is held in memory whole.

    Raises:
        MissingExtra: pyarrow is not installed.
        BadDataset: the file is damaged.
    """
    parquet = import_extra("Reading Parquet", "parquet", "pyarrow.parquet")
    number = 0
    with source.stream as stream:
        file: Any = _opened(parquet, source.name, source.path or io.BytesIO(stream.read()))
        try:
            for batch in file.iter_batches(batch_size=_BATCH):
                for values in batch.to_pylist():
                    number += 1
                    yield RawRow(f"row {number}", values)
        except (OSError, ValueError) as error:  # pyarrow's own errors are both
            yield truncated_row(source.name, f"after row {number}", error)
        finally:
            file.close()


def _opened(parquet: Any, name: str, where: object) -> Any:  # noqa: ANN401  (pyarrow has no types)
    try:
        return parquet.ParquetFile(where)
    except (OSError, ValueError) as error:
        raise BadDataset(f"{name} is a damaged Parquet file: {error}. Write it again.") from None
