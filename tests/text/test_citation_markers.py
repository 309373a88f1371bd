from tests.testing.for_each import for_each

from ragstone.text.citation_markers import citation_markers


@for_each(
    "text, numbers",
    [
        ("Tall [1]. Old [2][3].", [(1,), (2,), (3,)]),
        ("Tall [1, 3; 5] and [2-4].", [(1, 3, 5), (2, 3, 4)]),
        ("Tall [4\u20132].", [(4, 2)]),
        ("Tall 【4:0†source】, old 【1】.", [(1,), (1,)]),
        ("Tall [^1].\n\n[^1]: The report.", [(1,)]),
        ("Tall [doc1], old [Doc 2], red (Source 3), blue (Sources 1 and 2).", [(1,), (2,), (3,), (1, 2)]),
        ("Hoch (Quelle 2). Haut [source 1]. Alto (fuente 3).", [(2,), (1,), (3,)]),
        ("Tall [1](https://example.org/lamp).", [(1,)]),
        ("Tall ［1］.", [(1,)]),
        ("Tall<sup>[1]</sup>. Old.² It spans 5 km² or m<sup>2</sup>.", [(1,), (2,)]),
        ("In [2024], or [note], or a[i], (12), (see 3).", []),
        ("Use a[0] and b[1], rows[0], my_list[2], args[1].name.", []),
        ("Tall [12](a b).", [(12,)]),
    ],
)
def test_markers_of_all_forms_are_read(text: str, numbers: list[tuple[int, ...]]) -> None:
    assert [marker.numbers for marker in citation_markers(text)] == numbers


def test_marker_that_stands_for_a_noun_is_told_apart() -> None:
    assert [marker.is_noun for marker in citation_markers("According to [1], it is tall [1].")] == [
        True,
        False,
    ]
