"""Read files, folders or given passages as passages, in an order that does not depend on the machine."""

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import cast

from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.chunks import passage_of, read_chunks
from ragstone.drafts.reading.html import read_html
from ragstone.drafts.reading.markdown import read_markdown
from ragstone.drafts.reading.pdf import read_pdf
from ragstone.drafts.reading.splitter import join_blocks
from ragstone.errors import BadDataset

_READERS = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".jsonl": read_chunks,
}
_SUFFIXES = (*_READERS, ".txt", ".text", ".rst", ".pdf")

Documents = str | PathLike[str] | Iterable[str | PathLike[str] | DraftPassage | Mapping[str, object]]
"""A file or folder, several of them, or passages: `DraftPassage`, or mappings with `id`, `text` and `document`."""


def read_documents(documents: Documents) -> tuple[DraftPassage, ...]:
    """Return the passages of files and folders, or the given passages.

    Raises:
        BadDataset: a file does not exist or cannot be read, there are no passages, or two passages have the same id.
        MissingExtra: a PDF file needs the extra `pdf`.
    """
    sources = [documents] if isinstance(documents, str | PathLike) else list(documents)
    passages = [passage for source in sources for passage in _passages(source)]
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


def _passages(source: object) -> Iterator[DraftPassage]:
    if isinstance(source, str | PathLike):
        named = cast("str | PathLike[str]", source)
        path = Path(fspath(named))
        if not path.exists():
            raise BadDataset(f"There is no file or folder {str(path)!r}.")
        if path.is_dir():
            for file in sorted(_files(path)):
                yield from _read(file.relative_to(path).as_posix(), file)
        else:
            yield from _read(path.name, path)
    else:
        yield passage_of(source, "passages", "a passage")


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in _SUFFIXES and path.is_file() and not hidden:
            yield path


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
