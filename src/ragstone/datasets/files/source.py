"""Sources of rows: a file, gzip or not, or standard input; opening one detects its format.

The content decides, not the file name: gzip is recognised by its first two bytes, Parquet by its first
four. The name decides only between text formats: `.csv`, `.tsv`, `.json`, `.jsonl`.
"""

import gzip
import io
import os
import re
import sys
import time
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import IO, cast

from ragstone.errors import BadDataset

_HEAD_BYTES = 65_536
WRITER_TIMEOUT = 60.0
"""Seconds to wait for a writer of a named pipe."""

_GZIP_MAGIC = b"\x1f\x8b"
_FORMAT_BY_SUFFIX = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".jsonlines": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_UNSUPPORTED_FORMATS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook: unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the sheet as CSV",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: unpack it, or compress it with gzip",
    b"BZh": "compressed with bzip2: unpack it, or compress it with gzip",
    b"\xfd7zXZ": "compressed with xz: unpack it, or compress it with gzip",
    b"SQLite format 3": "an SQLite database: export the table as CSV",
    b"ARROW1": "an Arrow file: load it with datasets or pyarrow and pass the object",
    b"%PDF": "a PDF document",
    b"<": "a web page or XML, perhaps an error page saved instead of the download",
}


_TRACE_KEYWORDS = re.compile(
    r'resource_?(?:spans|logs)"|trace_id|"traceId"|"trace"|"info"|"run_type"', re.IGNORECASE
)
"""Every file of traces contains one of these."""


@dataclass(frozen=True, slots=True)
class Source:
    """An opened source of rows.

    Attributes:
        name: its name in messages.
        format: name of the module in `ragstone.datasets` that reads it.
        stream: its bytes from the start, decompressed.
        head: the first of those bytes, to detect the encoding and the format from.
        path: the file, for readers that need random access; None for standard input, a pipe or gzip.
        columns: columns that the user named, and which a header may therefore have.
    """

    name: str
    format: str
    stream: IO[bytes]
    head: bytes
    path: str | None = None
    columns: frozenset[str] = frozenset()


class _PeekedStream(io.RawIOBase):
    """The bytes that were already read, followed by the rest of the stream: a pipe cannot seek back."""

    def __init__(self, head: bytes, rest: IO[bytes], packed: IO[bytes] | None) -> None:
        self._head = io.BytesIO(head)
        self._rest = rest
        self._packed = packed  # the packed bytes: an unpacker does not close what it was given

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: "memoryview[int]", /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  (any writable buffer comes as one)
        """Fill the buffer from the bytes already read, then from the rest; return the number of bytes."""
        data = self._head.read(len(buffer)) or cast("io.BufferedReader", self._rest).read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the streams below, but never standard input."""
        for stream in (self._rest, self._packed):
            if stream is not None and stream is not sys.stdin.buffer:
                stream.close()
        super().close()


def open_source(name: str) -> Source:
    """Open the file `name`, or standard input for `-`.

    Raises:
        BadDataset: there is no such file, it is a directory, it is empty, or it is not a table of test cases.
    """
    shown_name = "standard input" if name == "-" else name
    stream, head = _peek(sys.stdin.buffer if name == "-" else _open(Path(name)), shown_name)
    path = name if name != "-" and Path(name).is_file() else None  # a named pipe can be read once
    if head.startswith(_GZIP_MAGIC):
        stream, head = _peek(cast("IO[bytes]", gzip.GzipFile(fileobj=stream)), shown_name, packed=stream)
        if head.startswith(_GZIP_MAGIC):
            stream.close()
            raise BadDataset(f"{shown_name} is compressed twice with gzip. Unpack it once.")
        path = None
    if not head.strip(b"\xef\xbb\xbf \t\r\n"):
        stream.close()
        raise BadDataset(f'{shown_name} is empty. Write one test case per line, such as {{"input": "…"}}.')
    try:
        return Source(shown_name, _format(shown_name, head), stream, head, path)
    except BadDataset:
        stream.close()
        raise


def _open(path: Path) -> IO[bytes]:
    try:
        return _open_pipe(path) if path.is_fifo() else path.open("rb")
    except IsADirectoryError:
        files = sorted(entry.name for entry in path.iterdir() if _suffix(entry.name) in _FORMAT_BY_SUFFIX)
        hint = f" It contains {', '.join(files[:8])}." if files else ""
        raise BadDataset(f"{path} is a directory. Name one file in it.{hint}") from None
    except FileNotFoundError:
        raise BadDataset(_not_found(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        reason = getattr(error, "strerror", None) or error
        raise BadDataset(f"{str(path)!r} cannot be read: {reason}. Give a readable file.") from None


def _open_pipe(path: Path) -> IO[bytes]:
    """Open a named pipe; a plain `open` would wait for a writer for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    deadline = time.monotonic() + WRITER_TIMEOUT
    first: bytes | None = b""
    while not first and time.monotonic() < deadline:
        try:
            first = os.read(descriptor, 1)
        except BlockingIOError:  # a writer that has written nothing yet
            break
        if not first:
            time.sleep(0.02)
    else:
        if not first:
            os.close(descriptor)
            raise BadDataset(
                f"No process has written to the pipe {str(path)!r} for {WRITER_TIMEOUT:.0f} seconds."
            )
    os.set_blocking(descriptor, True)
    rest = os.fdopen(descriptor, "rb")
    return cast("IO[bytes]", io.BufferedReader(_PeekedStream(first, rest, None), _HEAD_BYTES))


def _not_found(path: Path) -> str:
    if "://" in str(path) or str(path).startswith(("http:/", "https:/")):
        return f"{path} is an address, not a file. Download it first; ragstone reads from this machine only."
    siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    similar = get_close_matches(path.name, siblings, n=1, cutoff=0.6)
    hint = f" Did you mean {str(path.parent / similar[0])!r}?" if similar else ""
    return f"There is no file {str(path)!r}.{hint} Name a JSONL, JSON, CSV or Parquet file, `-`, or `demo`."


def _peek(stream: IO[bytes], shown_name: str, packed: IO[bytes] | None = None) -> tuple[IO[bytes], bytes]:
    """Return the stream as it was, and its first bytes: a line at least, or `_HEAD_BYTES` bytes."""
    head = b""
    try:
        while len(head) < _HEAD_BYTES and not (b"\n" in head and len(head) >= 64):  # noqa: PLR2004  (enough for any magic)
            block = cast("io.BufferedReader", stream).read1(_HEAD_BYTES)
            if not block:
                break
            head += block
    except (OSError, EOFError) as error:
        stream.close()
        raise BadDataset(f"{shown_name} cannot be read: {error}. Give a complete, readable file.") from None
    return io.BufferedReader(_PeekedStream(head, stream, packed), _HEAD_BYTES), head


def _format(shown_name: str, head: bytes) -> str:
    named = _FORMAT_BY_SUFFIX.get(_suffix(shown_name))
    if head.startswith(b"PAR1"):
        return "parquet"
    for magic, description in _UNSUPPORTED_FORMATS.items():
        if head.startswith(magic):
            raise BadDataset(f"{shown_name} is {description}. ragstone reads JSONL, JSON, CSV and Parquet.")
    if named == "parquet":
        raise BadDataset(
            f"{shown_name} is not a Parquet file: it begins with {head[:16]!r}. Rename it to match its format."
        )
    return "csv" if named == "csv" else _text_format(head, named)


def _text_format(head: bytes, named: str | None) -> str:
    """Return the format, traces, JSON, JSON lines or CSV, from the beginning of the text."""
    text = decoded(head).lstrip("\ufeff \t\r\n")
    if _holds_traces(text):
        return "traces"
    if text.startswith("[") and (named != "jsonl" or re.match(r"\[\s*\{", text)):
        return "json"
    if named == "jsonl":
        return "jsonl"
    first_line, _, rest = text.partition("\n")
    if text.startswith("{"):
        row_per_line = first_line.rstrip().endswith("}") and rest.lstrip().startswith("{")
        return "jsonl" if row_per_line or (named is None and first_line.rstrip().endswith("}")) else "json"
    return named or "csv"


def _suffix(name: str) -> str:
    path = Path(name.lower())
    return (path.with_suffix("") if path.suffix in {".gz", ".gzip"} else path).suffix


def encoding(head: bytes) -> str:
    """Return the encoding of a text that begins with `head`: UTF-8 unless a byte order mark says UTF-16."""
    return "utf-16" if head.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"


def decoded(data: bytes) -> str:
    """Return bytes as text for inspection; invalid bytes of UTF-8 become lone surrogates."""
    return data.decode(encoding(data), errors="replace" if encoding(data) == "utf-16" else "surrogateescape")


def _holds_traces(head: str) -> bool:
    """Return whether a text begins as traces do; their formats are imported only if a keyword of traces occurs."""
    if not _TRACE_KEYWORDS.search(head):
        return False
    from ragstone.traces.formats import detect_traces  # noqa: PLC0415  (most datasets hold no traces)

    return detect_traces(head)
