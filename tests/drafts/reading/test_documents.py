import json
from pathlib import Path

import pytest
from tests.drafts.documents import LAMPS, folder_of

from ragstone.datasets.load import BadRowWarning
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.documents import read_documents
from ragstone.errors import BadDataset


def test_a_passage_of_markdown_is_a_slice_of_its_file(tmp_path: Path) -> None:
    passages = read_documents(folder_of(tmp_path, lamps=LAMPS))
    assert [one.headings for one in passages] == [("Lamps",), ("Lamps", "Add a lamp")]
    for one in passages:
        assert LAMPS[one.start : one.start + len(one.text)] == one.text
    assert "| `--watt` |" in passages[1].text


def test_long_sections_are_cut_between_blocks_and_never_inside_code(tmp_path: Path) -> None:
    code = "```sh\n" + "x = 1\n\n" * 200 + "```"
    text = "# T\n\n" + "word " * 200 + "\n\n" + "other " * 200 + "\n\n" + code + "\n"
    passages = read_documents(folder_of(tmp_path, long=text))
    assert [one.text.split()[0] for one in passages] == ["word", "other", "```sh"]
    assert passages[2].text == code


def test_html_is_converted_to_visible_text(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<html><head><title>x</title><style>p{}</style></head><body><nav>Home</nav><h1>Lamps</h1>"
        "<p>The price\nof <b>Zenith&nbsp;3</b> is 5.</p><ul><li>one</li><li>two</li></ul>"
        "<table><tr><th>option</th><th>means</th></tr><tr><td><code>a|b</code></td><td>power</td></tr></table>"
        "<script>bad()</script></body></html>",
        encoding="utf-8",
    )
    (passage,) = read_documents(tmp_path)
    assert passage.headings == ("Lamps",)
    assert passage.text == (
        "The price of Zenith 3 is 5.\n\n- one\n- two\n\n| option | means |\n|---|---|\n| `a\\|b` | power |"
    )


def test_the_users_own_chunks_keep_their_ids(tmp_path: Path) -> None:
    path = tmp_path / "chunks.jsonl"
    path.write_text(
        json.dumps({"id": "faq-1", "text": "A fact.", "document": "faq"})
        + "\n\n"
        + '{"id": 7, "text": "b"}\n'
    )
    assert [(one.id, one.document) for one in read_documents(path)] == [
        ("faq-1", "faq"),
        ("7", "chunks.jsonl"),
    ]
    own = [DraftPassage("x", "d", "text"), {"id": "y", "text": "more"}]
    assert [one.id for one in read_documents(own)] == ["x", "y"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", "{}\n", "line 1: the id or the text is missing"),
        ("a.jsonl", "{\n", "line 1"),
        ("a.jsonl", "[" * 100_000, "line 1"),
        ("a.jsonl", '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n', "have the id 'a'"),
        ("a.md", b"\xff\xfe\x00", "UTF-8"),
        ("a.png", "x", "no passages"),
    ],
)
def test_unreadable_documents_raise_with_their_place(
    tmp_path: Path, name: str, content: str | bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadDataset, match=told):
        read_documents(tmp_path)


def test_missing_folder_raises_bad_dataset() -> None:
    with pytest.raises(BadDataset, match="no file or folder"):
        read_documents("absent")


def test_links_out_of_the_folder_are_left_out(tmp_path: Path) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text("A secret.")
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("The price is 5 euros.")
    (folder / "b.md").symlink_to("a.md")
    (folder / "c.md").symlink_to(outside)
    (folder / "d.md").symlink_to(folder / "d.md")
    (folder / "e").symlink_to(tmp_path)
    with pytest.warns(BadRowWarning, match=r"c\.md is a link out of the folder"):
        assert [one.document for one in read_documents(folder)] == ["a.md", "b.md"]


def test_a_file_of_a_folder_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b.md").write_text("The price is 5 euros.")
    with pytest.warns(BadRowWarning, match=r"a\.md cannot be read as UTF-8 text.*left out"):
        assert [one.document for one in read_documents(tmp_path)] == ["b.md"]
    with pytest.raises(BadDataset, match="UTF-8"):
        read_documents([tmp_path / "b.md", tmp_path / "a.md"])


def test_halves_of_surrogate_pairs_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "\\ud800", "text": "a \\udfff", "headings": ["\\ud801"]}\n')
    (passage,) = read_documents(tmp_path)
    assert (passage.id, passage.text, passage.headings) == ("\ufffd", "a \ufffd", ("\ufffd",))


def test_the_title_of_the_front_matter_is_the_first_heading(tmp_path: Path) -> None:
    text = '---\ntitle: "Grandma\'s flapjacks"\ntags: [baking]\n---\n\nSweet.\n\n## Storage { #storage }\n\nIn a tin.\n'
    (tmp_path / "cake.md").write_text(text)
    found = read_documents(tmp_path)
    assert [one.headings for one in found] == [("Grandma's flapjacks",), ("Grandma's flapjacks", "Storage")]
    assert [text[one.start :].startswith(one.text) for one in found] == [True, True]
    (tmp_path / "cake.md").write_text("---\n\nNo front matter.\n\n---\n\nEnd.\n")
    assert [one.headings for one in read_documents(tmp_path)] == [()]
