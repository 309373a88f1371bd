import pytest

from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.matching.roles import exchanged_roles, replaced_subject
from ragstone.text.tokens import tokens


def turned(statement: str, passage: str) -> list[tuple[str, str]]:
    evidence = index_evidence([passage])
    found = align(tokens(statement)[0], evidence)
    assert found is not None
    return [(mine.word, theirs.word) for mine, theirs in exchanged_roles(found, evidence)]


@pytest.mark.parametrize(
    ("statement", "passage", "found"),
    [
        ("YouTube acquired Google.", "Google acquired YouTube in 2006.", [("YouTube", "Google")]),
        ("Google was acquired by YouTube.", "Google acquired YouTube in 2006.", [("YouTube", "Google")]),
        ("YouTube was acquired by Google.", "Google acquired YouTube in 2006.", []),
        ("Google acquired YouTube.", "Google acquired YouTube in 2006.", []),
        ("Rovers beat United.", "Penbury United beat Ashford Rovers.", [("Rovers", "United")]),
        ("Anna married Bruno.", "Bruno married Anna.", []),
        ("Anna, Bruno and Carla came.", "Carla, Bruno and Anna came.", []),
        ("Anna beat Bruno.", "Anna beat Bruno in May. Bruno beat Anna in June.", []),
    ],
)
def test_names_exchanged_around_a_word_are_seen(
    statement: str, passage: str, found: list[tuple[str, str]]
) -> None:
    assert turned(statement, passage) == found


@pytest.mark.parametrize(
    ("statement", "passage", "found"),
    [
        (
            "Sydney is the capital of Australia.",
            "Canberra is the capital city of Australia.",
            [("Sydney", "Canberra")],
        ),
        ("Canberra is the capital of Australia.", "Canberra is the capital city of Australia.", []),
        ("Sydney is the capital of Australia.", "Canberra is the capital of the territory.", []),
        ("Sydney is a city.", "Canberra is a city.", []),
    ],
)
def test_different_subject_of_an_equal_statement_is_detected(
    statement: str, passage: str, found: list[tuple[str, str]]
) -> None:
    evidence = index_evidence([passage])
    aligned = align(tokens(statement)[0], evidence)
    assert aligned is not None
    assert [(mine.word, theirs.word) for mine, theirs in replaced_subject(aligned, evidence)] == found
