"""The content of a file of results: a JSON value, or rows as `load_dataset` reads them.

CSV, TSV and Parquet are read by the readers of datasets, so separators, encodings and lists in cells are the same.
JSON is read whole, since the results of a tool are one document. Unpacked bytes and values are bounded by the size of
the file.
"""

import json
import zipfile
import zlib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ragstone.datasets.files.source import Source, encoding, open_source
from ragstone.datasets.results import deepeval, inspect_ai, mlflow, openai_evals, promptfoo
from ragstone.datasets.results.rows import ImportedRun
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.errors import BadDataset

_TABLES = ("csv", "parquet")
_UNPACKED_BYTES = 32 * 1024 * 1024
_UNPACKING_FACTOR = 50
"""Bytes that a packed file may always unpack to, and how many times its own size beyond that."""

_FEWEST_VALUES = 2_000_000
_BYTES_PER_VALUE = 8
"""Values that a file may always contain, and the bytes for each further one: a value takes more memory than text."""


class FileContent(NamedTuple):
    """What a file contains: a JSON value (of JSON lines and of a table the rows), and the problems of its rows."""

    value: Any
    is_table: bool = False
    problems: tuple[str, ...] = ()


def read_content(path: Path) -> FileContent:
    """Return the content of a file.

    Raises:
        BadDataset: it cannot be read; the message says what is wrong and where.
    """
    if path.suffix.lower() == ".eval":
        return FileContent(_archive(path))
    source = open_source(str(path))
    if source.format in _TABLES:
        return _table(source)
    with source.stream:
        return FileContent(_json(path, _text(path, source)))


def _table(source: Source) -> FileContent:
    rows: list[dict[str, Any]] = []
    problems: list[str] = []
    for row in import_module(f"ragstone.datasets.{source.format}").rows(source):
        if isinstance(row, BadRow):
            problems.append(str(row))
        else:
            rows.append(dict(row.values))
        if len(problems) > _MOST_PROBLEMS and len(problems) > len(rows):
            raise BadDataset(f"{source.name}: most of its rows cannot be read. The first: {problems[0]}")
    return FileContent(rows, is_table=True, problems=tuple(problems))


_MOST_PROBLEMS = 1_000


def _text(path: Path, source: Source) -> str:
    """Return the text of a source, up to the bound for its size."""
    limit = _byte_limit(path) if source.path is None else path.stat().st_size + 1
    try:
        data = source.stream.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadDataset(f"{path} cannot be unpacked: {error}. Save or download it again.") from None
    if len(data) > limit:
        raise BadDataset(
            f"{path} unpacks to more than {limit:,} bytes, too much for its size. Unpack it first."
        )
    try:
        return data.decode(encoding(source.head)).lstrip("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadDataset(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8. Save the file as UTF-8."
        ) from None


def _json(path: Path, text: str) -> Any:  # noqa: ANN401  (what JSON holds)
    """Return the value of a JSON text, or the list of the values of its lines."""
    _check_values(path, text, path.stat().st_size)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) > 1 and error.pos >= len(lines[0][1].rstrip()):  # the first line is a value of its own
            return list(_json_lines(path, lines))
        problem = f"{_lower_first(error.msg)} at line {error.lineno}, column {error.colno}"
    except RecursionError:
        problem = "it is nested too deeply"
    except ValueError:
        problem = "it contains a number that is too long"
    raise BadDataset(f"{path} is not a report: as JSON, {problem}. {HINT}")


def _json_lines(path: Path, lines: list[tuple[int, str]]) -> Iterator[Any]:
    for number, line in lines:
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            problem = (
                _lower_first(error.msg) if isinstance(error, json.JSONDecodeError) else "too deep or too long"
            )
            raise BadDataset(
                f"{path} is not a report: line {number} is not JSON ({problem}). Write the file again."
            ) from None


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


HINT = "Name a file that --output wrote, as .json or .jsonl, or results of another tool."
"""What a results file may be, for messages."""


def _check_values(path: Path, text: str, size: int) -> None:
    limit = max(_FEWEST_VALUES, size // _BYTES_PER_VALUE)
    if len(text) > limit and sum(map(text.count, ",[{")) > limit:
        raise BadDataset(
            f"{path} contains more than {limit:,} values, too many for its size. Write fewer results."
        )


def _byte_limit(path: Path) -> int:
    return max(_UNPACKED_BYTES, _UNPACKING_FACTOR * path.stat().st_size)


def _archive(path: Path) -> Any:  # noqa: ANN401
    """Return Inspect's log from its archive: the header, with the samples of their own files."""
    try:
        with zipfile.ZipFile(path) as file:
            names = sorted(name for name in file.namelist() if name.startswith("samples/"))
            limit = _byte_limit(path)
            if sum(file.getinfo(name).file_size for name in ("header.json", *names)) > limit:
                raise BadDataset(
                    f"{path} unpacks to more than {limit:,} bytes, too much for its size. {_CONVERT}"
                )
            header, *samples = (file.read(name).decode() for name in ("header.json", *names))
            _check_values(path, "".join((header, *samples)), path.stat().st_size)
            return {**json.loads(header), "samples": [json.loads(sample) for sample in samples]}
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, OSError, EOFError) as error:
        raise BadDataset(f"{path} cannot be unpacked: {error}. {_CONVERT}") from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise BadDataset(
            f"{path} is an archive, but not a log of Inspect that can be read. {_CONVERT}"
        ) from None


_CONVERT = "Convert it to JSON: `inspect log convert FILE --to json --output-dir logs`."


def find_run(found: Any) -> ImportedRun | None:  # noqa: ANN401  (what a file holds)
    """Return the run in a file's content; None where no tool is known to write it."""
    for tool in (promptfoo, deepeval, inspect_ai, openai_evals, mlflow):
        if tool.fits(found):
            return tool.read(found)
    return None


def rows(path: Path) -> Iterator[RawRow] | None:
    """Return the rows of a file of results, which is read whole; None where it is none."""
    run = find_run(read_content(path).value)
    return None if run is None else (RawRow(f"row {n}", row.values) for n, row in enumerate(run.rows, 1))
