from tests.testing.for_each import for_each

from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.edits import replaced_words
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.support import support
from ragstone.text.tokens import tokens

TOWER = "The tower was opened in July 1889 by Gustave Roux. It is 300 metres high."
RULES = "More than twelve stops: a second aerial is required. Children under 14 pay half."
OTHERS = "The garden has eighty kinds of roses, and every one of them bears a label with its name. " * 8


def found(statement: str, passage: str) -> list[tuple[str, str]]:
    evidence = index_evidence([passage])
    alignment = align(tokens(statement)[0], evidence)
    assert alignment is not None
    return [(mine.word, theirs.word) for mine, theirs in replaced_words(alignment, evidence)]


@for_each(
    "statement, passage, pair",
    [
        ("The tower was opened in July 1887 by Gustave Roux.", TOWER, ("1887", "1889")),
        ("The tower was opened in June 1889 by Gustave Roux.", TOWER, ("June", "July")),
        ("It was opened in July 1889 by Gustave Petit.", f"{TOWER} It was opened in July 1889 by Gustave Roux.",
         ("Petit", "Roux")),
        ("Der Turm wurde 1887 eröffnet.", "Der Turm wurde 1889 eröffnet.", ("1887", "1889")),
    ],
)  # fmt: skip
def test_one_replaced_number_or_name_of_a_copy_is_found(
    statement: str, passage: str, pair: tuple[str, str]
) -> None:
    assert found(statement, passage) == [pair]


@for_each(
    "statement, passage",
    [
        ("The tower was opened in July 1889 by Gustave Roux.", TOWER),  # a copy
        ("The tower was opened in July 1889 by the mayor.", TOWER),  # two words differ
        ("The tower was closed in July 1889 by Gustave Roux.", TOWER),  # neither number nor name
        ("Opened in July 1887.", TOWER),  # too short
        ("Sixteen stops: a second aerial is required.", RULES),  # a number that the bound allows
        ("Room Sol costs 90 euros a night.", "Room Luna costs 90 euros a night. Room Sol costs 90 euros a night."),
        ("Chilis grow well in the America.", "Chilis grow well in the Americas."),  # an inflection
        ("Nor was it opened in 1889.", "It was never. Or was it opened in 1889."),
    ],
)  # fmt: skip
def test_other_differences_from_the_evidence_are_not_replacements(statement: str, passage: str) -> None:
    assert found(statement, passage) == []


@for_each("rest", ["", OTHERS])
def test_a_copy_with_one_replaced_word_is_contradicted_beside_short_and_long_evidence(rest: str) -> None:
    number, name, copy = support(
        [
            "The tower was opened in July 1887 by Gustave Roux.",
            "The tower was opened in July 1889 by Gustave Petit.",
            "The tower was opened in July 1889 by Gustave Roux.",
        ],
        [TOWER, rest],
    )
    assert [number.verdict, name.verdict, copy.verdict] == ["no", "no", "yes"]
    assert number.reason == 'another number: the statement says "1887", the passage "1889"'
    assert name.reason == 'another name: the statement says "Petit", the passage "Roux"'
    assert max(number.probability, name.probability) < 1 / 4
