import pytest

from ragstone.judges.local.matching.calculations import has_calculated_numbers
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.features import measure_statement

FARE = "A ticket costs 8 euros, a dog 2 euros. Groups get 25 percent off a fare of 200 euros."


def of(statement: str, passage: str = FARE) -> bool:
    evidence = index_evidence([passage])
    return has_calculated_numbers(measure_statement(statement, evidence).alignments, evidence)


@pytest.mark.parametrize(
    "statement",
    [
        "Three tickets cost 24 euros.",
        "A ticket and a dog cost 10 euros.",
        "A ticket costs 6 euros more than a dog.",
        "A ticket costs four times as much as a dog.",
        "Twice the fare is 400 euros.",
        "Groups save 50 euros on a fare of 200 euros.",
        "Groups pay 150 euros.",
    ],
)
def test_a_number_that_follows_from_two_others_is_calculated(statement: str) -> None:
    assert of(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Three tickets cost 27 euros.",
        "A ticket costs 9 euros.",
        "Three tickets cost 24 euros, with a dog 27.5 euros.",
    ],
)
def test_number_that_does_not_follow_is_not_calculated(statement: str) -> None:
    assert not of(statement)


def test_number_stated_in_the_passage_is_not_calculated() -> None:
    assert not of("A ticket costs 8 euros.")
    assert not of("A ticket is cheap.")


def test_clock_times_are_not_used_in_calculations() -> None:
    assert not of("It leaves at 10:30.", "It leaves at 10:15 every 15 minutes.")


def test_passage_with_20000_numbers_is_handled() -> None:
    passage = "The values are " + ", ".join(f"{value}.5" for value in range(20_000)) + "."
    assert not of("The values are 999999.25 in all.", passage)
