"""Read files, folders or given passages as passages, in an order that does not depend on the machine."""

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

from ragstone.datasets.load import BadRowWarning
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.html import read_html
from ragstone.drafts.reading.markdown import join_blocks, read_markdown
from ragstone.drafts.reading.pdf import read_pdf
from ragstone.errors import BadDataset

_EXPECTED_LINE = 'Write {"id": "faq-1", "text": "…", "document": "faq.md"} on each line.'


def read_chunks(document: str, text: str) -> Iterator[DraftPassage]:
    """Yield a passage for each line."""
    for number, line in enumerate(text.split("\n"), 1):  # a string may hold what `splitlines` cuts at
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise BadDataset(f"{document}, line {number}: {error}. {_EXPECTED_LINE}") from None
            yield passage_of(row, document, f"{document}, line {number}")


def passage_of(row: object, document: str, where: str) -> DraftPassage:
    """Return the passage from a mapping, or the passage itself."""
    if isinstance(row, DraftPassage):
        return row
    values = cast("Mapping[str, Any]", row) if isinstance(row, Mapping) else dict[str, Any]()
    identifier, text = values.get("id"), values.get("text")
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        identifier = str(identifier)
    if not isinstance(identifier, str) or not isinstance(text, str) or not text.strip():
        raise BadDataset(f"{where}: the id or the text is missing. {_EXPECTED_LINE}")
    headings, start = values.get("headings") or (), values.get("start") or 0
    heading_list = (headings,) if isinstance(headings, str) else headings
    if not isinstance(heading_list, list | tuple) or not isinstance(start, int):
        raise BadDataset(
            f"{where}: headings must be a list of strings, and start an integer. {_EXPECTED_LINE}"
        )
    heading_texts = tuple(map(str, cast("Sequence[object]", heading_list)))
    return DraftPassage(identifier, str(values.get("document") or document), text, heading_texts, start)


_READERS = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".jsonl": read_chunks,
}
_SUFFIXES = (*_READERS, ".txt", ".text", ".rst", ".pdf")

_SURROGATE = re.compile(r"[\ud800-\udfff]")

Documents = str | PathLike[str] | Iterable[str | PathLike[str] | DraftPassage | Mapping[str, object]]
"""A file or folder, several of them, or passages: `DraftPassage`, or mappings with `id`, `text` and `document`."""


def read_documents(documents: Documents) -> tuple[DraftPassage, ...]:
    """Return the passages of files and folders, or the given passages.

    Raises:
        BadDataset: a file does not exist or cannot be read, there are no passages, or two passages have the same id.
        MissingExtra: a PDF file needs the extra `pdf`.
    """
    sources = [documents] if isinstance(documents, str | PathLike) else list(documents)
    passages = [_writable(passage) for source in sources for passage in _passages(source)]
    if not passages:
        raise BadDataset(
            f"There are no passages in {', '.join(map(str, sources)) or 'nothing'}: "
            "give files, or folders that contain files, with one of these extensions: "
            f"{', '.join(_SUFFIXES)}."
        )
    seen: set[str] = set()
    for passage in passages:
        if passage.id in seen:
            raise BadDataset(f"Two passages have the id {passage.id!r}: give each passage a unique id.")
        seen.add(passage.id)
    return tuple(passages)


def _writable(passage: DraftPassage) -> DraftPassage:
    """Return the passage with a replacement character for each half of a surrogate pair, which no file can hold."""
    texts = (passage.id, passage.document, passage.text, *passage.headings)
    if not any(map(_SURROGATE.search, texts)):
        return passage
    identifier, document, text, *headings = (_SURROGATE.sub("\ufffd", text) for text in texts)
    return DraftPassage(identifier, document, text, tuple(headings), passage.start)


def _passages(source: object) -> Iterator[DraftPassage]:
    if not isinstance(source, str | PathLike):
        yield passage_of(source, "passages", "a passage")
        return
    path = Path(fspath(cast("str | PathLike[str]", source)))
    if path.is_dir():
        yield from _read_folder(path)
    elif path.is_file():
        yield from _read(path.name, path)
    else:
        raise BadDataset(f"There is no file or folder {str(path)!r}.")


def _read_folder(folder: Path) -> Iterator[DraftPassage]:
    """Yield the passages of the files that can be read; each other file is left out, with a warning."""
    errors: list[BadDataset] = []
    files = sorted(_files(folder))
    for file in files:
        try:
            yield from [*_read(file.relative_to(folder).as_posix(), file)]
        except BadDataset as error:
            errors.append(error)
    if errors and len(errors) == len(files):
        raise errors[0]
    for error in errors:
        warnings.warn(f"{str(error).rstrip('.')}. The file is left out.", BadRowWarning, stacklevel=2)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder, without hidden ones; links that lead out of the folder are not followed."""
    root = folder.resolve()
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in _SUFFIXES and not hidden and path.is_file():
            if path.resolve().is_relative_to(root):
                yield path
            else:
                warnings.warn(
                    f"{path} is a link out of the folder and is left out.", BadRowWarning, stacklevel=2
                )


def _read(document: str, path: Path) -> Iterator[DraftPassage]:
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        yield from read_pdf(document, path)
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadDataset(f"{document} cannot be read as UTF-8 text: {error}") from None
    reader = _READERS.get(suffix)
    if reader is not None:
        yield from reader(document, text)
        return
    for start, end in join_blocks(text, 0, len(text)):
        yield DraftPassage(f"{document}#{start}", document, text[start:end], (), start)
