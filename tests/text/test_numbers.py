from tests.testing.for_each import for_each

from ragstone.text.numbers import multiply_number, read_number


@for_each(
    "word, expected",
    [
        ("3,800", "3800"),
        ("3, 800", "3800"),
        ("007", "7"),
        ("2.50", "2.5"),
        ("twelve", "12"),
        ("first", "1"),
        ("10:30", "10:30"),
        ("word", None),
        ("", None),
    ],
)
def test_read_number_normalises_spellings(word: str, expected: str | None) -> None:
    assert read_number(word) == expected


def test_a_magnitude_multiplies() -> None:
    assert multiply_number("3.8", 10**6) == "3800000"
    assert multiply_number("0.5", 1) == "0.5"
