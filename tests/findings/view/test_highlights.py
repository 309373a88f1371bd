from ragstone.findings.view.findings import Finding
from ragstone.findings.view.highlights import (
    Highlight,
    claim_highlights,
    passage_highlights,
    text_segments,
)
from ragstone.show.case_html import highlighted


def shown(text: str, *marks: Highlight) -> str:
    return "".join(map(str, highlighted(text, marks)))


def test_overlapping_highlights_are_not_nested() -> None:
    first, inner, longer = Highlight(0, 3, "a", ""), Highlight(2, 4, "b", ""), Highlight(0, 5, "c", "")
    assert shown("abcdef", inner, first) == (
        '<mark class="a" title="">abc</mark><mark class="b" title="">d</mark>ef'
    )
    assert shown("abcdef", first, longer) == '<mark class="c" title="">abcde</mark>f'


def test_text_segments_cover_text_with_all_marks() -> None:
    one, other = Highlight(0, 3, "a", "", "c1"), Highlight(2, 9, "b", "", "c2")
    found = list(text_segments("abcdef", [other, one]))
    assert "".join(piece.text for piece in found) == "abcdef"
    assert [[mark.key for mark in piece.marks] for piece in found] == [["c1"], ["c1", "c2"], ["c2"]]


def test_passage_highlight_uses_the_span_of_the_finding() -> None:
    finding = Finding(1, "no", "contradicted", "x", None, 1, (6, 9))
    (mark,) = passage_highlights(1, [finding])
    assert (mark.start, mark.end, mark.key) == (6, 9, "c1")
    assert not passage_highlights(2, [finding])


def test_paraphrased_claim_highlights_its_sentence() -> None:
    text = "Hello there. You may work from home five days a week. Bye."
    finding = Finding(1, "no", "contradicted", "Work from home is five days a week", None, None)
    (mark,) = claim_highlights(text, [finding])
    assert text[mark.start : mark.end] == "You may work from home five days a week."


def test_marks_side_by_side_are_both_kept() -> None:
    assert shown("abcd", Highlight(2, 4, "b", ""), Highlight(0, 2, "a", "")).count("<mark") == 2


def test_without_marks_the_text_stays() -> None:
    assert shown("abc") == "abc"
