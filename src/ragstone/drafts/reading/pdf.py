"""Split PDF into passages with pypdf (the extra `pdf`): each page's text is split at lines that look like headings.

Offsets refer to the text that `lay_out` returns, not to the file. Tables are not recognised, and pictures are not read.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading import pdf_process
from ragstone.drafts.reading.markdown import join_blocks
from ragstone.errors import BadDataset, MissingExtra

_MAX_HEADING_CHARS = 80
_SHORT_LINE_SHARE = 0.7
"""Share of the page's longest line; headings and the last lines of paragraphs are shorter."""

_HEADING = re.compile(r"(?:\d+(?:\.\d+)*\.?\s+)?[^\W\d_].*[^.!?:;,]")
_SENTENCE_END = re.compile(r".*[.!?:][”\"')]*")

_MAX_WAIT = 4
"""Longest time to wait for a file, as a multiple of its bound of processor time: other processes may be busy."""

_NO_TITLE = re.compile(r"(?:about:blank|untitled.*|.*\.(?:docx?|tex|indd|pdf))?\Z", re.IGNORECASE)


def read_pdf(document: str, path: Path) -> Iterator[DraftPassage]:
    """Yield the passages of a PDF file, under its title and the heading above them; see `pdf_process` for the bounds.

    Raises:
        MissingExtra: pypdf is not installed.
        BadDataset: it cannot be read, or holds no text.
    """
    title, pages = _read(document, path)
    if not any(map(str.strip, pages)):
        raise BadDataset(
            f"{document} contains no text; it may be scanned. Run text recognition (OCR) on it, or leave it out."
        )
    heading = ""
    for number, page in enumerate(pages, 1):
        text, headings = lay_out(page)
        begin = 0
        for first, last in (*headings, (len(text), len(text))):
            titles = (title, heading) if heading else (title,)
            for start, end in join_blocks(text, begin, first):
                yield DraftPassage(f"{document}#p{number}-{start}", document, text[start:end], titles, start)
            begin, heading = last, text[first:last] or heading


def lay_out(page: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of a page with blank lines between paragraphs and around headings, and the spans of the headings.

    A heading is a short line with a capital and without a full stop, between the end of a sentence and another capital.
    """
    lines = [line.strip() for line in page.splitlines() if line.strip()]
    short_length = _SHORT_LINE_SHARE * max(map(len, lines), default=0)
    text, headings, after_end = "", list[tuple[int, int]](), True
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if after_end and len(line) < min(short_length, _MAX_HEADING_CHARS) and _is_heading(line, following):
            text = f"{text.rstrip()}\n\n" if text else ""
            headings.append((len(text), len(text) + len(line)))
            text += f"{line}\n\n"
            continue
        after_end = _SENTENCE_END.fullmatch(line) is not None
        text += f"{line}\n\n" if after_end and len(line) < short_length else f"{line}\n"
    return text, headings


def _is_heading(line: str, following: str) -> bool:
    """Return whether a line may be the heading of the line that follows."""
    return _HEADING.fullmatch(line) is not None and line[0] == line[0].upper() and following[:1].isupper()


def _read(document: str, path: Path) -> tuple[str, list[str]]:
    if find_spec("pypdf") is None:
        raise MissingExtra(f"Reading {document}", "pdf")
    result = _run(path)
    if "error" in result:
        raise BadDataset(f"{document} cannot be read as PDF: {result['error']}")
    title = str(result["title"])
    return path.stem if _NO_TITLE.match(title) else title, result["pages"]


def _run(path: Path) -> dict[str, Any]:
    """Return what the process for the file prints, or an `error`."""
    seconds = _MAX_WAIT * (pdf_process.BASE_SECONDS + pdf_process.SECONDS_PER_BYTE * path.stat().st_size)
    command = [sys.executable, "-P", pdf_process.__file__, str(path.absolute())]
    try:
        done = subprocess.run(  # noqa: S603  (this Python, with a script of this package)
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return {"error": f"it takes longer than {seconds:.0f} seconds"}
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"error": "it needs too much time or memory"}
