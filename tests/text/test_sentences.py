from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.text.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@for_each(
    "text, expected",
    [
        ("Dr. Smith left. She returned.", ["Dr. Smith left.", "She returned."]),
        ("It grew by 3.5 percent. Then it fell.", ["It grew by 3.5 percent.", "Then it fell."]),
        ("J. R. Hale wrote it, e.g. the end.", ["J. R. Hale wrote it, e.g. the end."]),
        (
            "He lives in the U.S. in winter. She does not.",
            ["He lives in the U.S. in winter.", "She does not."],
        ),
        ("- one item\n- another item", ["- one item", "- another item"]),
        ("Erstens.\n\nZweitens", ["Erstens.", "Zweitens"]),
        ("你好。这是测试。", ["你好。", "这是测试。"]),
        ("¿Qué pasa? Nada.", ["¿Qué pasa?", "Nada."]),
        ("", []),
        ("   \n ", []),
    ],
)
def test_sentences_are_split_at_sentence_ends(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@settings(deadline=None)
@given(st.text(max_size=300))
def test_sentence_spans_are_ordered_and_keep_all_text(text: str) -> None:
    spans = sentences(text)
    assert all(a < b for a, b in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert "".join(cut(text)).split() == [] or "".join("".join(cut(text)).split()) == "".join(text.split())


def test_text_of_full_stops_is_split_in_linear_time() -> None:
    for text in ("." * 200_000, ". " * 100_000, "\n" * 200_000, '."' * 100_000, "1.\n" * 60_000):
        assert all(start < end for start, end in sentences(text))


@for_each(
    "text, expected",
    [
        ("1. Open it. 2. Close it.", ["1. Open it.", "2. Close it."]),
        ("How many? 12. The rest left.", ["How many?", "12.", "The rest left."]),
        ("No. It is shut.", ["No.", "It is shut."]),
        ("No. 12 is shut.", ["No. 12 is shut."]),
        ("It is tall.[1] It is old【4:0†source】.", ["It is tall.[1]", "It is old【4:0†source】."]),
        ("I don't. The rest do.", ["I don't.", "The rest do."]),
        ("Is it open?Yes", ["Is it open?Yes"]),
        ("开放吗?开放。", ["开放吗?", "开放。"]),
        ("| a. B | c |\n| - | - |\n| D. E | f |", ["| a. B | c |", "| - | - |", "| D. E | f |"]),
        ("# The end. Now\nIt is over.", ["# The end. Now", "It is over."]),
    ],
)
def test_words_around_a_stop_decide(text: str, expected: list[str]) -> None:
    assert cut(text) == expected
