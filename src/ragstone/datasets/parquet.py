"""Parquet: rows are read in batches, so that a file of any size takes the memory of one. Needs the extra `parquet`."""

import tempfile
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from typing import IO, Any, cast

from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import truncated_row
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.errors import BadDataset
from ragstone.plugins import import_extra

LARGEST = 1024**3
"""Most bytes of a source that is compressed, a pipe or standard input."""

_ROWS_PER_BATCH = 256
_BLOCK_BYTES = 1024 * 1024


def rows(source: Source) -> Iterator[RawRow | BadRow]:
    """Yield the rows of `source`, a few hundred at a time from each row group.

    Reading Parquet needs random access: standard input, a pipe or a compressed file is copied to a temporary file.
    """
    parquet = import_extra("Reading Parquet", "parquet", "pyarrow.parquet")
    number = 0
    with (
        source.stream as stream,
        nullcontext(source.path) if source.path else _temporary_copy(source.name, stream) as path_or_file,
    ):
        try:
            file: Any = parquet.ParquetFile(path_or_file)
        except (OSError, ValueError) as error:
            problem = f"{source.name} is a damaged Parquet file: {error}. Write it again."
            raise BadDataset(problem) from None
        try:
            for batch in file.iter_batches(batch_size=_ROWS_PER_BATCH):
                for values in batch.to_pylist():
                    number += 1
                    yield RawRow(f"row {number}", values)
        except (OSError, ValueError) as error:  # pyarrow's own errors are both
            yield truncated_row(source.name, f"after row {number}", error)
        finally:
            file.close()


def _temporary_copy(source: str, stream: IO[bytes]) -> IO[bytes]:
    file = cast("IO[bytes]", tempfile.TemporaryFile())  # noqa: SIM115  (the caller closes it)
    try:
        while file.tell() <= LARGEST and (block := stream.read(_BLOCK_BYTES)):
            file.write(block)
    except (OSError, EOFError, zlib.error) as error:
        file.close()
        raise BadDataset(f"{source} cannot be unpacked: {error}. Save or download it again.") from None
    if file.tell() > LARGEST:
        file.close()
        raise BadDataset(f"{source} unpacks to more than {LARGEST:,} bytes. Unpack it first.")
    file.seek(0)
    return file
