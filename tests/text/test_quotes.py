from tests.testing.for_each import for_each

from ragstone.text.quotes import find_quote

TEXT = "It costs **€6** (see “Fees”), and\n  it isn’t due before 1\u20113 May: pay *later*."


@for_each(
    "quote, found",
    [
        ("It costs", "It costs"),
        ("costs €6 (see", "costs **€6** (see"),
        ('see "Fees"),', "see “Fees”),"),
        ("and it isn't due", "and\n  it isn’t due"),
        ("1-3 May", "1\u20113 May"),
        ("'It costs'", "It costs"),
        ("it costs … due before", "It costs **€6** (see “Fees”), and\n  it isn’t due before"),
        ("it costs [...] due", "It costs **€6** (see “Fees”), and\n  it isn’t due"),
        ("PAY later.", "pay *later*."),
    ],
)
def test_quote_is_found_although_marks_differ(quote: str, found: str) -> None:
    span = find_quote(quote, TEXT)
    assert span is not None
    assert TEXT[slice(*span)] == found


@for_each("quote", ["", "…", "''", "costs 6", "due … costs", "it is due", "costs €6 and", "x" * 5000])
def test_other_words_are_not_found(quote: str) -> None:
    assert find_quote(quote, TEXT) is None
