"""PDF into passages, by pypdf (the extra `pdf`): the text of each page. Tables and headings are not recognised."""

from collections.abc import Iterator
from pathlib import Path

from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.splitter import join_blocks
from ragstone.errors import BadDataset, MissingExtra


def read_pdf(document: str, path: Path) -> Iterator[DraftPassage]:
    """Yield the passages of a PDF file; the heading of each is its page.

    Raises:
        MissingExtra: pypdf is not installed.
        BadDataset: it cannot be read.
    """
    try:
        from pypdf import PdfReader  # noqa: PLC0415  (an optional dependency)  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
        from pypdf.errors import PyPdfError  # noqa: PLC0415  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
    except ImportError:
        raise MissingExtra(f"Reading {document}", "pdf") from None
    try:
        pages = [str(page.extract_text()) for page in PdfReader(path).pages]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    except (PyPdfError, OSError, ValueError) as error:  # pyright: ignore[reportUnknownVariableType]
        raise BadDataset(f"{document} cannot be read as PDF: {error}") from None
    for number, text in enumerate(pages, 1):
        for start, end in join_blocks(text, 0, len(text)):
            yield DraftPassage(
                f"{document}#p{number}-{start}", document, text[start:end], (f"p. {number}",), start
            )
