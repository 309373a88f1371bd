from tests.testing.for_each import for_each

from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.edits import exchanged_words
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.support import support
from ragstone.text.tokens import tokens

HINGES = (
    "Brass hinges come in three finishes. Polished ones cost 20 % more than raw; black ones take four weeks."
)
MORTAR = "Mortar for the wall: four parts sand, one part cement, half a part lime."
CARDS = "There are two SIMs in the phone: Bolt for calls, 4 a month, and Sirocco for data, 11 a month."
OTHERS = "The garden has eighty kinds of roses, and every one of them bears a label with its name. " * 8


def found(statement: str, passage: str) -> list[tuple[str, str]]:
    evidence = index_evidence([passage])
    laid = align(tokens(statement)[0], evidence)
    assert laid is not None
    return [(one.word, other.word) for one, other in exchanged_words(laid, evidence)]


@for_each(
    "statement, passage, pair",
    [
        ("Raw ones cost 20 % more than polished.", HINGES, ("Raw", "polished")),
        ("Four parts cement, one part sand, half a part lime.", MORTAR, ("cement", "sand")),
        ("Bolt for data and Sirocco for calls.", CARDS, ("data", "calls")),
    ],
)
def test_two_swapped_words_are_detected(statement: str, passage: str, pair: tuple[str, str]) -> None:
    assert pair in found(statement, passage)


@for_each(
    "statement, passage",
    [
        ("Polished ones cost 20 % more than raw.", HINGES),
        ("Raw ones cost 20 % less than polished.", "Polished ones cost 20 % more than raw."),
        ("Dogs and cats are seen on Fridays only.", "Cats and dogs are seen on Fridays only."),
        ("Bruno met Anna in the old harbour.", "Anna met Bruno in the old harbour."),
        ("Raw ones never cost 20 % more than polished.", HINGES),
        ("Lime is cheaper than sand in most shops.", MORTAR),
        ("Sand.", MORTAR),
    ],
)
def test_another_order_that_says_the_same_is_left_alone(statement: str, passage: str) -> None:
    assert found(statement, passage) == []


@for_each("rest", ["", OTHERS])
def test_an_exchange_contradicts_beside_short_and_long_evidence(rest: str) -> None:
    wrong, right = support(
        ["Raw ones cost 20 % more than polished.", "Polished ones cost 20 % more than raw."], [HINGES, rest]
    )
    assert wrong.verdict == "no"
    assert right.verdict == ("undecided" if rest else "yes")
    assert wrong.reason == 'exchanged: the passage has "Raw" and "polished" the other way round'
    assert wrong.probability < 1 / 4
