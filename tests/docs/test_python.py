"""What a page shows below its Python is what the Python prints."""

from tests.docs import _page, _python
from tests.testing.for_each import for_each


def problem(text: str) -> str:
    first, *_ = _page.read(_page.ROOT / "docs" / "page.md", text)
    return _python.run(first, {})


@for_each(
    "text",
    [
        "```python\nx = 1  # prints nothing\n```\n",
        "```python\nprint(1)\n#> 1\nprint('b c')  #> b …\n```\n",
        "```python\nfor n in range(9):\n    print(n)\n    #> 0\n    #> …\n    #> 8\n```\n",
        "```python\nprint('a\\n\\n  b')\n```\n\n```text\na\n  b\n```\n",
    ],
)
def test_matching_printed_output_is_accepted(text: str) -> None:
    assert problem(text) == ""


@for_each(
    "text, shown",
    [
        ("```python\nprint('2 of 2')\n#> All 2\n```\n", "All 2"),
        ("```python\nprint('2 of 2')\n```\n\n```text\nAll 2\n```\n", "All 2"),
        ("```python\nprint('2 of 2')  # All 2\n```\n", "nothing"),
        ("```python\nprint('2 of 2')\n```\n\nBetween.\n\n```text\n2 of 2\n```\n", "nothing"),
    ],
)
def test_differing_printed_output_is_reported_with_its_place(text: str, shown: str) -> None:
    assert problem(text) == f"docs/page.md:2: printed\n2 of 2\n\nwhere the page shows\n{shown}"


def test_a_block_that_shows_an_output_must_print_it() -> None:
    assert problem("```python\nx = 1\n#> 1\n```\n").endswith("where the page shows\n1")
