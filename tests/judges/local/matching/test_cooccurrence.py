import pytest

from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.cooccurrence import cooccurrence_features
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.text.tokens import tokens


def found(claim: str, *passages: str) -> dict[str, float]:
    evidence = index_evidence(passages)
    alignment = align(tokens(claim)[0], evidence)
    assert alignment is not None
    return cooccurrence_features(alignment, evidence)


def test_copy_has_full_run_and_pair_values() -> None:
    text = "The ferry Aurora carried timber from Skerne to Brede in June."
    values = found(text, f"It rained. {text}")
    assert [values[name] for name in ("run_3_worst", "run_5_worst", "pair_near")] == pytest.approx([1, 1, 1])
    assert values["pair_apart"] == values["name_broken"] == 0


def test_words_of_distant_sentences_have_low_run_and_pair_values() -> None:
    filler = " Nothing else of note happened in those long and quiet years."
    values = found(
        "The ferry carried timber.", "The ferry was painted white." + filler * 2 + " Lorries carried timber."
    )
    assert values["run_3"] < 1
    assert values["pair_apart"] > 0


def test_order_counts_apart_from_nearness() -> None:
    values = found("Dogs chase cats.", "Cats chase dogs.")
    assert values["pair_near"] == 1
    assert values["pair_ordered"] < 1


@pytest.mark.parametrize(
    ("passage", "broken"),
    [
        ("The hall was designed by Johann Hesk, who died young.", False),
        ("The stone came from the Hesk quarries.", True),
        ("The hall was designed by Matthias Orlen.", False),
    ],
)
def test_a_name_is_broken_where_only_a_part_of_it_is_known(passage: str, broken: bool) -> None:  # noqa: FBT001
    assert (found("The hall was designed by Johann Hesk.", passage)["name_broken"] > 0) is broken


def test_a_single_word_has_no_pairs() -> None:
    assert found("Timber!", "Timber burns.")["pair_near"] == 1
    assert found("Timber!", "Stone lasts.")["pair_near"] == 0
