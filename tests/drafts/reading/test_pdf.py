"""A real PDF, printed by Chromium: two pages, headings, subset fonts."""

import contextlib
import random
import re
import resource
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from tests.cli.command import invoke

from ragstone import load_dataset
from ragstone.drafts.reading.documents import read_documents
from ragstone.drafts.reading.pdf import lay_out
from ragstone.errors import BadDataset

LAMPS = Path(__file__).with_name("lamps.pdf")


@pytest.fixture
def pypdf() -> Any:
    return pytest.importorskip(
        "pypdf", reason="pypdf is not installed: PDF IS NOT TESTED (pip install 'ragstone[pdf]')"
    )


@pytest.mark.usefixtures("pypdf")
def test_pdf_passages_have_their_headings() -> None:
    passages = read_documents(LAMPS)
    assert [(one.id, one.headings) for one in passages] == [
        ("lamps.pdf#p1-7", ("lamps", "Lamps")),
        ("lamps.pdf#p1-93", ("lamps", "Where it is sold")),
        ("lamps.pdf#p2-8", ("lamps", "Aurora")),
    ]
    assert passages[0].text == "The price of Zenith 3 is 490 euros. Zenith 3 was launched in 2014."
    assert "in Köln, in Zürich and in\nOrléans." in passages[1].text


@pytest.mark.usefixtures("pypdf")
def test_the_command_drafts_from_a_pdf(tmp_path: Path) -> None:
    done = invoke("draft", LAMPS, "--no-llm", "-q", "--size", "5", "-o", tmp_path / "out.jsonl")
    assert done.exit_code == 0, done.stderr
    cases = {case.input: case for case in load_dataset(tmp_path / "out.jsonl")}
    assert cases["What is the price of Zenith 3?"].expected_output == "490 euros"
    assert cases["What is the weight of Zenith 3?"].relevant_ids == {"lamps.pdf#p1-93": 2}


def test_broken_blank_and_encrypted_pdfs_raise_bad_dataset(
    pypdf: Any,
    tmp_path: Path,
) -> None:
    whole = LAMPS.read_bytes()
    (tmp_path / "broken.pdf").write_bytes(whole[:200])
    with pytest.raises(BadDataset, match=r"broken\.pdf cannot be read as PDF"):
        read_documents(tmp_path)
    blank = pypdf.PdfWriter()
    blank.add_blank_page(200, 200)
    blank.write(tmp_path / "broken.pdf")
    with pytest.raises(BadDataset, match="may be scanned"):
        read_documents(tmp_path)
    locked = pypdf.PdfWriter(clone_from=copy(LAMPS, tmp_path / "copy.pdf"))
    locked.encrypt("secret", algorithm="RC4-128")
    locked.write(tmp_path / "broken.pdf")
    with pytest.raises(BadDataset, match="cannot be read as PDF"):
        read_documents(tmp_path / "broken.pdf")


def page_of(pypdf: Any, path: Path, content: bytes) -> None:
    """Write a PDF whose page has this content, compressed."""
    writer = pypdf.PdfWriter(clone_from=LAMPS)
    stream = pypdf.generic.DecodedStreamObject()
    stream.set_data(content)
    writer.pages[0][pypdf.generic.NameObject("/Contents")] = stream.flate_encode()
    writer.write(path)


def test_a_pdf_that_unpacks_to_more_than_its_bounds_is_refused(pypdf: Any, tmp_path: Path) -> None:
    page_of(pypdf, tmp_path / "bomb.pdf", b"[" * 120_000_000)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    with pytest.raises(BadDataset, match=r"bomb\.pdf cannot be read as PDF"):
        read_documents(tmp_path / "bomb.pdf")
    assert max(0, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before) < 500_000


@pytest.mark.usefixtures("pypdf")
def test_damaged_pdfs_are_read_or_refused(tmp_path: Path) -> None:
    """Numbers and names are exchanged: loops of pages, streams without an end, wrong types."""
    whole = LAMPS.read_bytes()
    for seed in range(24):
        drawn, content = random.Random(seed), bytearray(whole)
        for match in drawn.sample(list(re.finditer(rb"\d+ 0 R|\d+|/[A-Z]\w+", whole)), 8):
            other = drawn.choice([b"0", b"3", b"-1", b"9" * 9, b"/Kids", b"/Prev", b"<<", b"null"])
            content[match.start() : match.end()] = other.ljust(len(match[0]))[: len(match[0])]
        (tmp_path / "a.pdf").write_bytes(content)
        with contextlib.suppress(BadDataset):
            read_documents(tmp_path / "a.pdf")


def test_headings_and_paragraphs_of_a_page() -> None:
    page = (
        "1. Prices\nThe price is told at the counter of the shop, where it is\nwritten on a card.\n"
        "Another day\nis not a heading. It goes on."
    )
    text, headings = lay_out(page)
    assert [text[start:end] for start, end in headings] == ["1. Prices"]
    assert text.startswith("1. Prices\n\nThe price is told")
    assert "on a card.\n\nAnother day\nis not" in text
    assert lay_out("") == ("", [])
