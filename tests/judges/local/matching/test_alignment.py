import pytest

from ragstone.judges.local.matching.alignment import Alignment, align, is_content_word
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.text.tokens import tokens


def laid(claim: str, *passages: str) -> Alignment:
    alignment = align(tokens(claim)[0], index_evidence(passages))
    assert alignment is not None
    return alignment


def test_repeated_word_is_aligned_next_to_the_preceding_word() -> None:
    found = laid("The river rose in March.", "In March it snowed. The river rose again in March.")
    assert [token.word for token in found.content_words] == ["river", "rose", "March"]
    assert found.positions.tolist() == [5, 6, 9]
    assert found.match.tolist() == [1, 1, 1]


def test_alignment_window_widens_only_for_more_matches() -> None:
    passage = "Ada wrote the report. The committee praised it. Bob left."
    first = laid("Ada wrote the report.", passage).best_window
    assert (first.start, first.stop) == (0, 4)
    both = laid("The committee praised what Ada wrote.", passage).best_window
    assert (both.start, both.stop) == (0, 8)


def test_windows_do_not_cross_passages() -> None:
    apart = laid(
        "The committee praised what Ada wrote.", "Ada wrote the report.", "The committee praised it."
    )
    together = laid(
        "The committee praised what Ada wrote.", "Ada wrote the report. The committee praised it."
    )
    assert apart.soft_share["3"] < together.soft_share["3"]
    assert apart.soft_share["doc"] == pytest.approx(together.soft_share["doc"])


def test_different_number_does_not_match() -> None:
    assert laid("It cost 40 euros.", "It cost 41 euros.").match[1] == 0


def test_function_words_are_not_telling() -> None:
    [row] = tokens("The 3 of them")
    assert [is_content_word(token) for token in row] == [False, True, False, False]
