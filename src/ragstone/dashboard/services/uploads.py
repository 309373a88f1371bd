"""Uploaded datasets, stored under a hash of their content so that a run over one can be resumed.

No name from a request reaches the file system: a dataset is identified by its hash, which is looked up in the list of
stored files.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, cast

from pydantic import BaseModel, ValidationError

from ragstone.case import TestCase
from ragstone.datasets import MappedDataset, read_dataset, with_columns
from ragstone.datasets.load import read_columns
from ragstone.errors import BadDataset, UsageError
from ragstone.findings.printable import one_line

MOST_UNPACKED = 1_000_000_000  # bytes that a compressed dataset may unpack to
_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
_GZIP_MAGIC = b"\x1f\x8b"
_CHUNK_BYTES = 1 << 20
_ID_PATTERN = re.compile(r"[0-9a-f]{16}")
_MAX_NAME_LENGTH = 120
_MAX_SHOWN_ERRORS, _MAX_ERROR_LENGTH = 5, 1_000
_MAX_UNREADABLE_ROWS = 1_000  # limit on unreadable rows above which a dataset is refused


class Upload(BaseModel, frozen=True):
    """An uploaded dataset.

    Attributes:
        id: a hash of its content.
        rejected: errors of the first rows that cannot be read.
        size: bytes, unpacked.
        columns: field of the test case → column that it is read from, where it has another name.
    """

    id: str
    name: str
    cases: int
    rejected: list[str]
    size: int
    columns: dict[str, str] = {}


class NoReadableRow(BadDataset):
    """No test case can be read from a dataset; `columns` are those of its first rows, so that they can be mapped."""

    def __init__(self, problem: str, columns: list[str]) -> None:
        super().__init__(problem)
        self.columns = columns


class Uploads:
    """The datasets in one folder."""

    def __init__(self, folder: Path) -> None:
        """Store datasets in `folder`, which is created with the first one."""
        self._folder = folder

    def keep(self, content: IO[bytes], name: str, columns: Mapping[str, str] | None = None) -> Upload:
        """Store a dataset, unpacked; `columns` are as for `with_columns`.

        Raises:
            NoReadableRow: no test case can be read from it.
            BadDataset: it unpacks to too much.
            UnknownName: a test case has no such field.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self._folder, suffix=_suffix(name), delete=False) as file:
            temporary = Path(file.name)
            try:
                packed = content.read(2) == _GZIP_MAGIC
                content.seek(0)
                plain = gzip.GzipFile(fileobj=content, mode="rb") if packed else content
                size, digest = _copy(cast("IO[bytes]", plain), file, columns or {})
                file.flush()
                upload = _read_upload(
                    temporary,
                    Upload(
                        id=digest,
                        name=one_line(name, _MAX_NAME_LENGTH) or "dataset",
                        cases=0,
                        rejected=[],
                        size=size,
                        columns=dict(columns or {}),
                    ),
                )
                temporary.replace(self._folder / f"{upload.id}{_suffix(name)}")
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        (self._folder / f"{upload.id}.about").write_text(upload.model_dump_json(), "utf-8")
        return upload

    def find(self, wanted: str) -> Path | None:
        """Return the file of a dataset by its id."""
        named = [self._folder / f"{wanted}{suffix}" for suffix in _SUFFIXES if _ID_PATTERN.fullmatch(wanted)]
        return next((path for path in named if path.is_file()), None)

    def dataset(self, wanted: str) -> str | MappedDataset | None:
        """Return a dataset by its id, as `evaluate` takes it; None if there is none."""
        path = self.find(wanted)
        upload = path and _read_about(path.with_suffix(".about"))
        return path and _as_mapped(path, upload.columns if upload else {})

    def known(self, path: str | None) -> str | None:
        """Return the id of the uploaded dataset at `path`; None if it is not an upload."""
        key = Path(path or "").stem
        found = self.find(key)
        return None if found is None or str(found) != path else key

    def name_of(self, dataset: str | None) -> str | None:
        """Return the name of a run's dataset: for an upload its original name, never a path of the server."""
        key = self.known(dataset)
        if key is None:
            return dataset
        return next((upload.name for upload in self.list() if upload.id == key), "an uploaded dataset")

    def list(self) -> list[Upload]:
        """Return the uploaded datasets, the latest first."""
        about = sorted(self._folder.glob("*.about"), key=lambda file: file.stat().st_mtime, reverse=True)
        return [upload for file in about if (upload := _read_about(file)) is not None]


def _suffix(name: str) -> str:
    """Return the supported suffix of a name, without that of a compressed file; `.jsonl` without one."""
    base = name.lower().removesuffix(".gz").removesuffix(".gzip")
    return next((suffix for suffix in _SUFFIXES if base.endswith(suffix)), ".jsonl")


def _copy(content: IO[bytes], file: IO[bytes], columns: Mapping[str, str]) -> tuple[int, str]:
    size, digest = 0, blake2b(repr(sorted(columns.items())).encode() if columns else b"", digest_size=8)
    for chunk in _chunks(content):
        size += len(chunk)
        if size > MOST_UNPACKED:
            raise BadDataset(f"The dataset unpacks to more than {MOST_UNPACKED:,} bytes: send it in parts.")
        digest.update(chunk)
        file.write(chunk)
    return size, digest.hexdigest()


def _chunks(content: IO[bytes]) -> Iterator[bytes]:
    try:
        while chunk := content.read(_CHUNK_BYTES):
            yield chunk
    except (OSError, EOFError) as error:
        raise BadDataset(f"The dataset cannot be unpacked: {error}. Send a whole file.") from error


def _read_upload(path: Path, upload: Upload) -> Upload:
    """Read a dataset once from end to end; unreadable rows are counted, and the errors of the first few are kept."""
    cases, unreadable, rejected = 0, 0, list[str]()
    try:
        for row in read_dataset(_as_mapped(path, upload.columns)):
            if isinstance(row, TestCase):
                cases += 1
                continue
            unreadable += 1
            if unreadable <= _MAX_SHOWN_ERRORS:
                rejected.append(str(row).replace(str(path), upload.name)[:_MAX_ERROR_LENGTH])
            elif unreadable > _MAX_UNREADABLE_ROWS:
                break
        problem = f"No row of {upload.name} can be read"
    except BadDataset as error:
        cases, problem = 0, str(error).replace(str(path), upload.name)
    else:
        if unreadable > _MAX_UNREADABLE_ROWS:
            cases, problem = 0, f"More than {_MAX_UNREADABLE_ROWS:,} rows of {upload.name} cannot be read"
        problem += f". The first: {rejected[0]}" if rejected else ""
    if cases:
        return upload.model_copy(update={"cases": cases, "rejected": rejected})
    columns: list[str] = []
    with suppress(UsageError):
        columns = read_columns(str(path))
    raise NoReadableRow(problem, columns)


def _as_mapped(path: Path, columns: Mapping[str, str]) -> str | MappedDataset:
    return with_columns(str(path), columns) if columns else str(path)


def _read_about(about: Path) -> Upload | None:
    try:
        return Upload.model_validate_json(about.read_text("utf-8"))
    except (OSError, ValidationError):
        return None
