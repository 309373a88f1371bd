import pytest

from ragstone.prompts.base.sentences import MOST_SENTENCES, sentences, sentences_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opened in 1902. It is red!", ["It opened in 1902.", "It is red!"]),
        ("Dr. Wu left at 5 p.m. on Monday. J. Doe stayed.", ["Dr. Wu left at 5 p.m. on Monday.", "J. Doe stayed."]),
        ("It costs 3.50 euros, e.g. here", ["It costs 3.50 euros, e.g. here"]),
        ("It is\nin Brook Street.", ["It is\nin Brook Street."]),
        ("3. Trams run.\n4. Buses do not.", ["3. Trams run.", "4. Buses do not."]),
        ("A heading\n\nA text without an end", ["A heading", "A text without an end"]),
        ("図書館は月曜日に休館します。火曜日は開館。", ["図書館は月曜日に休館します。", "火曜日は開館。"]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("One. — … !", ["One."]),
        ("...", ["..."]),
        (" \n ", [""]),
    ],
)  # fmt: skip
def test_a_text_is_cut_at_the_ends_of_its_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


def test_sentences_are_counted_over_all_texts_and_neighbours_share_a_number_where_there_are_too_many() -> (
    None
):
    assert sentences_of(["One. Two.", "", "Three."]) == (("One.", "Two."), ("",), ("Three.",))
    many = sentences_of(["It is. " * 300, "One. Two."])
    assert sum(map(len, many)) <= MOST_SENTENCES
    assert " ".join(many[0]) == ("It is. " * 300).strip()
    assert many[1] == ("One. Two.",)


def test_a_text_that_is_nothing_but_stops_is_read_in_linear_time() -> None:
    for text in ("." * 200_000, ". " * 100_000, "\n" * 200_000, '."' * 100_000, "1.\n" * 60_000):
        assert sentences(text)
