"""Uploaded datasets, stored under a hash of their content so that a run over one can be resumed.

No name from a request reaches the file system: a dataset is identified by its hash, which is looked up in the list of
stored files.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from pydantic import BaseModel, ConfigDict, ValidationError

from ragstone.case import TestCase
from ragstone.datasets import MappedDataset, read_dataset, with_columns
from ragstone.datasets.load import read_columns
from ragstone.errors import BadDataset, UsageError
from ragstone.findings.printable import one_line

MOST_UNPACKED = 1_000_000_000
"""Bytes that a compressed dataset may unpack to."""

_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
_GZIP_MAGIC = b"\x1f\x8b"
_CHUNK_BYTES = 1 << 20
_ID_PATTERN = re.compile(r"[0-9a-f]{16}")
_MAX_NAME_LENGTH = 120
_MAX_SHOWN_ERRORS, _MAX_ERROR_LENGTH = 5, 1_000
_MAX_UNREADABLE_ROWS = 1_000
"""Limit on unreadable rows above which a dataset is refused."""


class Upload(BaseModel):
    """An uploaded dataset.

    Attributes:
        id: its id, a hash of its content.
        name: the name that its sender gave.
        cases: number of test cases.
        rejected: errors of the first rows that cannot be read.
        size: bytes, unpacked.
        columns: field of the test case → column that it is read from, where it has another name.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    cases: int
    rejected: list[str]
    size: int
    columns: dict[str, str] = {}


class NoReadableRow(BadDataset):
    """No test case can be read from a dataset.

    Attributes:
        columns: the columns of its first rows, so that they can be mapped to fields.
    """

    def __init__(self, problem: str, columns: list[str]) -> None:
        """Store the message and the columns."""
        super().__init__(problem)
        self.columns = columns


class Uploads:
    """The datasets in one folder."""

    def __init__(self, folder: Path) -> None:
        """Store datasets in `folder`, which is created with the first one."""
        self._folder = folder

    def keep(self, content: IO[bytes], name: str, columns: Mapping[str, str] | None = None) -> Upload:
        """Store a dataset, unpacked.

        Args:
            content: the uploaded file, from its beginning.
            name: the name that its sender gave; its suffix selects the format.
            columns: field of the test case → column, as for `with_columns`.

        Raises:
            NoReadableRow: no test case can be read from it.
            BadDataset: it unpacks to too much.
            UnknownName: a test case has no such field.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self._folder, suffix=_suffix(name), delete=False) as file:
            temporary = Path(file.name)
            try:
                size, digest = _copy(_decompressed(content), file, columns or {})
                file.flush()
                upload = Upload(
                    id=digest,
                    name=one_line(name, _MAX_NAME_LENGTH) or "dataset",
                    cases=0,
                    rejected=[],
                    size=size,
                    columns=dict(columns or {}),
                )
                upload = _read_upload(temporary, upload)
                temporary.replace(self._folder / f"{upload.id}{_suffix(name)}")
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        (self._folder / f"{upload.id}.about").write_text(upload.model_dump_json(), "utf-8")
        return upload

    def find(self, wanted: str) -> Path | None:
        """Return the file of a dataset by its id."""
        path = self._files().get(wanted) if _ID_PATTERN.fullmatch(wanted) else None
        return path if path is not None and path.is_file() else None

    def dataset(self, wanted: str) -> str | MappedDataset | None:
        """Return a dataset by its id, as `evaluate` takes it; None if there is none."""
        path = self.find(wanted)
        if path is None:
            return None
        upload = _read_about(path.with_suffix(".about"))
        return with_columns(str(path), upload.columns) if upload and upload.columns else str(path)

    def known(self, path: str | None) -> str | None:
        """Return the id of the uploaded dataset at `path`; None if it is not an upload."""
        return next((key for key, file in self._files().items() if str(file) == path), None)

    def list(self) -> list[Upload]:
        """Return the uploaded datasets, the latest first."""
        about = sorted(self._folder.glob("*.about"), key=lambda file: file.stat().st_mtime, reverse=True)
        return [upload for file in about if (upload := _read_about(file)) is not None]

    def _files(self) -> dict[str, Path]:
        if not self._folder.is_dir():
            return {}
        return {
            file.stem: file
            for file in self._folder.iterdir()
            if file.suffix in _SUFFIXES and _ID_PATTERN.fullmatch(file.stem)
        }


def _suffix(name: str) -> str:
    """Return the supported suffix of a name, without that of a compressed file; `.jsonl` without one."""
    base = name.lower().removesuffix(".gz").removesuffix(".gzip")
    return next((suffix for suffix in _SUFFIXES if base.endswith(suffix)), ".jsonl")


def _decompressed(content: IO[bytes]) -> IO[bytes]:
    is_gzip = content.read(2) == _GZIP_MAGIC
    content.seek(0)
    return gzip.GzipFile(fileobj=content, mode="rb") if is_gzip else content  # type: ignore[return-value]


def _copy(content: IO[bytes], file: IO[bytes], columns: Mapping[str, str]) -> tuple[int, str]:
    """Copy a dataset and return its size and its hash, also of the names of its columns."""
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
        for row in read_dataset(with_columns(str(path), upload.columns) if upload.columns else str(path)):
            if isinstance(row, TestCase):
                cases += 1
                continue
            unreadable += 1
            if unreadable <= _MAX_SHOWN_ERRORS:
                rejected.append(str(row).replace(str(path), upload.name)[:_MAX_ERROR_LENGTH])
            elif unreadable > _MAX_UNREADABLE_ROWS:
                break
    except BadDataset as error:
        raise NoReadableRow(str(error).replace(str(path), upload.name), _columns(path)) from None
    if unreadable > _MAX_UNREADABLE_ROWS:
        raise NoReadableRow(
            f"More than {_MAX_UNREADABLE_ROWS:,} rows of {upload.name} cannot be read. The first: {rejected[0]}",
            _columns(path),
        )
    if not cases:
        raise NoReadableRow(f"No row of {upload.name} can be read. The first: {rejected[0]}", _columns(path))
    return upload.model_copy(update={"cases": cases, "rejected": rejected})


def _columns(path: Path) -> list[str]:
    """Return the columns of a file that cannot be read; none where these cannot be read either."""
    try:
        return read_columns(str(path))
    except UsageError:
        return []


def _read_about(about: Path) -> Upload | None:
    try:
        return Upload.model_validate_json(about.read_text("utf-8"))
    except (OSError, ValidationError):
        return None
