"""PDF files, by the process that reads them: each input in a fork of it, each fortieth in a fresh one."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pypdf
from pypdf import generic

from benchmarks.attack.mutations import mutated_bytes
from benchmarks.attack.samples import TESTS
from benchmarks.attack.watch import Attempt
from ragstone.drafts.reading import pdf_process
from ragstone.drafts.reading.documents import read_documents
from ragstone.errors import UsageError


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield PDF files whose objects, tables and streams are changed."""
    printed = (TESTS / "drafts" / "reading" / "lamps.pdf").read_bytes()
    samples = (printed, _written(folder, compressed=False), _written(folder, compressed=True))
    for number in range(count):
        content = mutated_bytes(rng.choice(samples), rng)
        path = folder / f"document{number % 4}.pdf"
        read = _by_documents if number % 40 == 0 else _by_fork
        yield (
            f"input of {len(content)} bytes",
            lambda path=path, content=content, read=read: read(path, content),
        )


def _written(folder: Path, *, compressed: bool) -> bytes:
    """Return a PDF whose page has text in a stream, and its objects in plain text."""
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(300, 300)
    stream = generic.StreamObject()
    stream.set_data(
        b"BT /F1 12 Tf 20 200 Td (Lamps) Tj 0 -20 Td [(The price) 20 (of Zenith is 490 euros.)] TJ ET"
    )
    page[generic.NameObject("/Contents")] = writer._add_object(  # noqa: SLF001
        stream.flate_encode() if compressed else stream
    )
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    names = generic.NameObject
    entry = generic.DictionaryObject({names(key): names(item) for key, item in font.items()})
    fonts = generic.DictionaryObject({names("/F1"): entry})
    page[names("/Resources")] = generic.DictionaryObject({names("/Font"): fonts})
    writer.add_metadata({"/Title": "Lamps"})
    writer.write(folder / "sample.pdf")
    return (folder / "sample.pdf").read_bytes()


def _by_documents(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with suppress(UsageError):
        read_documents(path)


def _by_fork(path: Path, content: bytes) -> None:
    """Read a file as the process does; it may end by its own bounds of time and memory, but print nothing else."""
    path.write_bytes(content)
    printed = path.with_suffix(".json")
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            sys.stdout = printed.open("w")
            pdf_process.main(str(path))
            sys.stdout.close()
            os._exit(0)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) or os.WEXITSTATUS(status):
        return  # the reader says that it needs too much time or memory
    found = json.loads(printed.read_text("utf-8"))
    if not ({"error"} == set(found) or {"title", "pages"} == set(found)):
        raise AssertionError(str(found)[:200])
