from dataclasses import replace
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.findings.sample import HOSTILE, fixed_report, report_of
from tests.findings.snapshot import holds
from tests.testing.for_each import for_each

from ragstone.findings import Report
from ragstone.findings.printable import escape


def parsed(report: Report) -> list[Token]:
    blocks = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(report.to_markdown())
    return [token for block in blocks for token in (block, *(block.children or []))]


def test_markdown_report_matches_its_snapshot() -> None:
    assert holds("report.md", fixed_report().to_markdown())


def test_hostile_text_formats_nothing() -> None:
    """Parsed, the report has the same parts whatever text stands in its fields."""
    assert [token.type for token in parsed(report_of(HOSTILE))] == [
        token.type for token in parsed(report_of("plain words"))
    ]


def test_hostile_text_brings_no_html_and_no_links() -> None:
    tokens = parsed(report_of(HOSTILE))
    assert {token.content for token in tokens if "html" in token.type} <= {"<br>", "<sub>", "</sub>"}
    assert not [token for token in tokens if token.type in ("link_open", "image", "code_inline", "fence")]


def test_escaped_text_renders_unchanged() -> None:
    (_, inline, *_) = MarkdownIt("commonmark").parse(escape("a*b*_c_ <b> & `d` [e](f) \\ | g"))
    assert "".join(token.content for token in inline.children or []) == "a*b*_c_ <b> & `d` [e](f) \\ | g"


@for_each("text", ["@everyone", "see #12", "http://evil.example", "www.evil.example", "me@evil.example"])
def test_mentions_and_links_are_escaped(text: str) -> None:
    assert text not in escape(text)


def test_table_columns_are_in_order() -> None:
    head = "| metric | mean | 95 % interval | n | not measured | skipped | passed |"
    assert head in fixed_report().to_markdown()


def test_a_saved_file_holds_the_same_markdown(tmp_path: Path) -> None:
    fixed_report().save(tmp_path / "report.md")
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == fixed_report().to_markdown()


def test_empty_run_is_rendered_as_markdown() -> None:
    assert "Nothing was measured" in replace(fixed_report(), cases=[], results=[]).to_markdown()
