from tests.testing.for_each import for_each

from ragstone.metrics.shared.citations import cited_numbers, cited_sentences


@for_each(
    "text, numbers",
    [
        ("It opened in 1902 [1]. Trams run [2][3].", [1, 2, 3]),
        ("So it is [1, 3; 5].", [1, 3, 5]),
        ("So it is [2-4] and [2\u20133].", [2, 3, 4, 2, 3]),
        ("Backwards [4-2].", [4, 2]),
        ("In [2024], or [note], or a[i].", []),
    ],
)
def test_markers_are_found(text: str, numbers: list[int]) -> None:
    assert cited_numbers(text) == numbers


@for_each(
    "text, sentences",
    [
        ("It opened in 1902 [1]. Trams run [2][3].", [("It opened in 1902.", (1,)), ("Trams run.", (2, 3))]),
        ("It opened in 1902.[1] Trams run. [2]", [("It opened in 1902.", (1,)), ("Trams run.", (2,))]),
        ('He said "no."[1][2] Then he left.', [('He said "no."', (1, 2)), ("Then he left.", ())]),
        ("Dr. Smith wrote it [1, 2].", [("Dr. Smith wrote it.", (1, 2))]),
        ("- Bread [1]\n- Milk [2]", [("- Bread", (1,)), ("- Milk", (2,))]),
        ("It is cheap [1] and good [1][2].", [("It is cheap and good.", (1, 2))]),
        ("It is red.\n\n[3]", [("It is red.", (3,))]),
        (
            "[1] It is red. It is old.\n[2] So am I.",
            [("It is red.", (1,)), ("It is old.", ()), ("So am I.", (2,))],
        ),
        ("It is red【4:0†source】. It is old. (Source 2)", [("It is red.", (1,)), ("It is old.", (2,))]),
        ("It is red[^1].\n[^1]: A report.", [("It is red.", (1,))]),
        ("[1]", []),
        ("", []),
    ],
)
def test_each_sentence_has_its_markers(text: str, sentences: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [tuple(found) for found in cited_sentences(text)] == sentences


def test_marked_sentence_omits_markers_without_a_passage() -> None:
    assert cited_sentences("It is red [1][7].")[0].marked(2) == "It is red. [1]"
    assert cited_sentences("It is red [7].")[0].marked(2) == "It is red."


def test_a_long_run_of_stops_and_brackets_is_read_in_linear_time() -> None:
    assert len(cited_sentences("." * 50_000 + "[1]" * 50_000)) == 0
    assert len(cited_sentences("a. [1" * 20_000)) >= 1
