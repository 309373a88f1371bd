from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.text.preparation import prepared


@for_each(
    "text, prose, changes",
    [
        ("The lamp is tall (in 1998).\nIt is old.", "The lamp is tall (in 1998).\nIt is old.", ()),
        ("It is **40** metres *tall* [1].", "It is 40 metres tall.", ("markup removed", "1 citation")),
        ("See [the page](https://x.org/a_b_c) and `a_b`.", "See the page and a_b.", ("markup removed",)),
        ("2*3*4 is 24, snake_case_name stays.", "2*3*4 is 24, snake_case_name stays.", ()),
        ("According to [1], it is old [2].", "According to [1], it is old.", ("2 citations",)),
        ("## Hours\nWe open at 9.", "Hours\n\nWe open at 9.", ("markup removed",)),
        ("> It is old.\n\n---\nIt is tall.", "It is old.\n\nIt is tall.", ("markup removed",)),
        ("Old [^1].\n\n[^1]: The report.", "Old.\n\n", ("markup removed", "1 citation")),
        ("```\na[1] | b\n- c\n```\nOld [1].", "```\na[1] | b\n- c\n```\nOld.", ("1 citation",)),
        (
            "| Item | Fee |\n|:---|---:|\n| Adult | **12** euros |\n| Child | |\nThat is all.",
            "Item Adult: Fee 12 euros.\n\nItem Child.\n\nThat is all.",
            ("markup removed", "2 table rows"),
        ),
        (
            "Item | Fee\n--- | ---\nAdult | 12 euros",
            "Item Adult: Fee 12 euros.\n",
            ("1 table row",),
        ),
        (
            "Hello. The plan includes:\n- 10 GB storage;\n- **Two** users [1]\n\nIt is cheap.",
            "Hello. \nThe plan includes: 10 GB storage.\n\nThe plan includes: Two users.\n\n\nIt is cheap.",
            ("markup removed", "1 citation", "2 list items"),
        ),
        (
            "### Hours\n* Monday: 9 to 5\n* Sunday: closed",
            "Hours: Monday: 9 to 5.\n\nHours: Sunday: closed.\n",
            ("markup removed", "2 list items"),
        ),
        (
            "Do this:\n1. Open the lid.\n2. Press start.",
            "Do this:\n1. Open the lid.\n2. Press start.",
            (),
        ),
        ("- Apples\n- Pears", "- Apples\n- Pears", ()),
        (
            "We sell:\n- Fruit:\n  - apples, which\n    are red\n- Bread",
            "We sell:\n- Fruit:\nFruit: apples, which\n    are red.\n\nWe sell: Bread.\n",
            ("2 list items",),
        ),
    ],
)
def test_markdown_is_read_as_prose(text: str, prose: str, changes: tuple[str, ...]) -> None:
    result = prepared(text, "prose")
    assert result.text == prose
    assert result.changes == changes


@for_each(
    "text, quote, original",
    [
        ("<think>40?</think>It is **40 metres** tall [1].", "40 metres tall", "40 metres** tall"),
        ("The plan includes:\n- 10 GB storage\n- Two users", "The plan includes: Two users.", "Two users"),
        (
            "| Item | Fee |\n|---|---|\n| Adult | 12 euros |",
            "Item Adult: Fee 12 euros.",
            "Adult | 12 euros",
        ),
        ("It is plain.", "is plain", "is plain"),
    ],
)
def test_quote_of_prose_is_found_in_the_original(text: str, quote: str, original: str) -> None:
    span = prepared(text, "prose").find(quote)
    assert span is not None
    assert text[slice(*span)] == original


def test_quote_of_added_words_has_no_place_in_the_original() -> None:
    result = prepared("The plan includes:\n- 10 GB\n- Two users", "prose")
    assert result.find("Three users") is None
    assert result.original_span(0, 4) is None


_MARKDOWN = st.lists(st.sampled_from([*"ab1 .:;\n|-*_#>[]()`<^", "- ", "|-|", "[1]", "**"]), max_size=80).map(
    "".join
)


@settings(deadline=None)
@given(_MARKDOWN)
def test_each_span_of_prose_has_the_characters_of_its_original(text: str) -> None:
    result = prepared(text, "prose")
    for piece in result.pieces:
        if piece.start is not None:
            assert text[piece.start : piece.start + len(piece.text)] == piece.text
    assert "".join(piece.text for piece in result.pieces) == result.text


@for_each(
    "unit",
    [
        "- a:\n",
        "**",
        "|",
        "| a |\n|-|\n",
        "[",
        "[1](",
        "#\n",
        "`",
        "*a ",
        "\n",
        "> ",
        "_a_ ",
        "a:\n\n\n",
        "[^1]:\n",
    ],
)
def test_markup_is_read_in_linear_time(unit: str) -> None:
    assert prepared(unit * 10_000, "prose").original
