from ragstone.reports._passages import Mark, marked


def shown(text: str, *marks: Mark) -> str:
    return "".join(map(str, marked(text, marks)))


def test_marks_do_not_nest_the_earlier_and_longer_wins() -> None:
    first, inner, longer = Mark(0, 3, "a", ""), Mark(2, 4, "b", ""), Mark(0, 5, "c", "")
    assert shown("abcdef", inner, first) == '<mark class="a" title="">abc</mark>def'
    assert shown("abcdef", first, longer) == '<mark class="c" title="">abcde</mark>f'


def test_marks_side_by_side_are_both_kept() -> None:
    assert shown("abcd", Mark(2, 4, "b", ""), Mark(0, 2, "a", "")).count("<mark") == 2


def test_without_marks_the_text_stays() -> None:
    assert shown("abc") == "abc"
