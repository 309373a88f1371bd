"""The public sets: how their texts are brought into the form in which people write them."""

import random

import pytest
from training.public_sets import as_text, nearest, untokenised

TABLE = {"title": ["Harrow Bridge"], "Opened": ["1902"], "Carries": ["two tracks", "a footpath"], "Toll": []}


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        (
            "Westlife sold under 23.5 million records in the UK .",
            "Westlife sold under 23.5 million records in the UK.",
        ),
        ("`` 2 Hearts '' is Minogue 's song , is n't it ?", "\" 2 Hearts \" is Minogue's song, isn't it?"),
        ("Kylie -LRB- a singer -RRB- earned $ 5 .", "Kylie (a singer) earned $5."),
        ("9.8�million singles", "9.8 million singles"),
        ("It was 'hot' there .", "It was 'hot' there."),
    ],
)
def test_words_that_were_cut_apart_are_joined(cut: str, whole: str) -> None:
    assert untokenised(cut) == whole


def test_a_table_is_written_in_several_ways_with_every_value_and_no_empty_row() -> None:
    forms = {as_text(TABLE, random.Random(seed)) for seed in range(40)}
    assert len(forms) == 4
    for form in forms:
        assert all(value in form for value in ("Harrow Bridge", "Opened", "1902", "two tracks, a footpath"))
        assert "Toll" not in form


@pytest.mark.parametrize(
    ("answer", "reference"),
    [("It is Mount Kilimanjaro.", "Mt Kilimanjaro"), ("Kibo, I think.", "Kibo"), ("No idea.", "Uhuru Peak")],
)
def test_the_reference_with_most_of_its_words_in_the_answer_is_nearest(answer: str, reference: str) -> None:
    assert nearest(answer, ["Uhuru Peak", "Mt Kilimanjaro", "Kibo"]) == reference
