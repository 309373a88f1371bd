from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.reports.sample import HOSTILE, fixed_report, report_of
from tests.reports.snapshot import holds

from ragstone.reports import Report
from ragstone.reports.formats.markdown import escape, render


def parsed(report: Report) -> list[Token]:
    blocks = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(render(report))
    return [token for block in blocks for token in (block, *(block.children or []))]


def test_the_report_looks_as_written() -> None:
    assert holds("report.md", render(fixed_report()))


def test_hostile_text_formats_nothing() -> None:
    """Parsed, the report has the same parts whatever text stands in its fields."""
    assert [token.type for token in parsed(report_of(HOSTILE))] == [
        token.type for token in parsed(report_of("plain words"))
    ]


def test_hostile_text_brings_no_html_and_no_links() -> None:
    tokens = parsed(report_of(HOSTILE))
    assert {token.content for token in tokens if "html" in token.type} <= {"<br>", "<sub>", "</sub>"}
    assert not [token for token in tokens if token.type in ("link_open", "image", "code_inline", "fence")]


def test_text_shows_as_it_is() -> None:
    (_, inline, *_) = MarkdownIt("commonmark").parse(escape("a*b*_c_ <b> & `d` [e](f) \\ | g"))
    assert "".join(token.content for token in inline.children or []) == "a*b*_c_ <b> & `d` [e](f) \\ | g"


@pytest.mark.parametrize(
    "text", ["@everyone", "see #12", "http://evil.example", "www.evil.example", "me@evil.example"]
)
def test_nobody_is_called_and_nothing_is_linked(text: str) -> None:
    assert text not in escape(text)


def test_the_figures_stand_in_their_order() -> None:
    head = "| metric | mean | 95 % interval | n | failed | skipped | passed |"
    assert head in render(fixed_report())


def test_a_report_has_its_own_door_to_markdown() -> None:
    assert fixed_report().to_markdown() == render(fixed_report())


def test_an_empty_run_is_a_report_too() -> None:
    assert "Nothing was measured." in render(replace(fixed_report(), cases=[], results=[]))
