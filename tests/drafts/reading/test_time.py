"""Reading takes time linear in the length of a text, whatever it repeats."""

from collections.abc import Callable, Iterator
from itertools import product

from tests.testing.for_each import for_each

from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.html import html_to_markdown, read_html
from ragstone.drafts.reading.markdown import list_items, prose, read_markdown, tables

PARTS = (
    "<!--", "<!-- -->", " #", "[", "![", "[](", "[a](b", "**a", "*a", "_a", "__", "***", "`", '<a "', '<a x="', "<a x=",
    "<a", "</", "<!", "<?", "<script>", "<td>a<b>", "<pre>", "&#", "|", "|-", "--", "- ", "\n- a", "> ", "```\n",
    "\n\n",    "## b\nx\n", "? ", "A: ", "**A?**\n", ".", "(", "((", '="', "='", "---\n", "a\n---|---\n",
    "---\na: b\n", "{#a", "# a {#",
)  # fmt: skip
STARTS = ("", "---\na: b\n", "# ", "|a|b|\n|--|--|\n", "<table>", "<a ", "**")


def read_all(read: Callable[[str, str], Iterator[DraftPassage]], text: str) -> None:
    for passage in read("d", text):
        for part in (prose, list_items, tables):
            list(part(passage.text))  # pyright: ignore[reportArgumentType]


@for_each("read", [read_markdown, read_html])
def test_long_texts_of_one_repeated_part_are_read(
    read: Callable[[str, str], Iterator[DraftPassage]],
) -> None:
    for part, start in product(PARTS, STARTS):
        read_all(read, start + part * (40_000 // len(part)))


def test_tags_end_as_the_standard_says() -> None:
    assert html_to_markdown("<p>a <!-- b -->c<script>x < y</script > d") == "a c d\n"
    assert html_to_markdown("<p>a<br/>b <x y='>' z=\">\" w=1>c") == "a\nb c\n"
    assert html_to_markdown("1 < 2 &lt; 3 <!doctype x> <p title=") == "1 < 2 < 3\n"
    assert html_to_markdown("<head><title>x<body><p>a</p>") == "\n"
    assert html_to_markdown("<head><title>x</title><body><p>a</p>") == "a\n"
    assert html_to_markdown("<dl><dt>Phone<dd>1<dt>Who?</dt><dd>Ann</dd></dl>").split() == [
        "-",
        "Phone:",
        "1",
        "-",
        "Who?",
        "Ann",
    ]
