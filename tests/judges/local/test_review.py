"""The embedded judge reviews a case by rule, and leaves what it cannot tell undecided."""

from tests.testing.for_each import for_each

from ragstone.judges.local.review import review
from ragstone.prompts import CaseReview

WHEN = "When was the tower built?"
TOWER, STAIRS = "The tower was built in 1889.", "The tower has 1,665 steps."
WRONG = "The tower was built in 1899."


def reviewed(
    output: str, passages: tuple[str, ...] | None = (STAIRS, TOWER), expected: str = ""
) -> CaseReview:
    return review(WHEN, output, passages, expected)


def test_output_with_a_contradicted_claim_is_not_acceptable_and_the_claim_is_quoted() -> None:
    found = reviewed(f"{STAIRS} {WRONG}")
    assert found.answer == "not_acceptable"
    [fault] = found.faults
    assert (fault.quote, fault.kind, fault.passage) == (WRONG, "wrong_number", 2)


def test_quote_is_as_it_was_written_although_markdown_is_not_read() -> None:
    [fault] = reviewed("The tower was built in **1899**.").faults
    assert fault.quote == "The tower was built in **1899**."


def test_output_whose_claims_are_supported_and_answer_is_acceptable() -> None:
    assert reviewed(TOWER).answer == "acceptable"


@for_each("output", ["", "The passages do not mention it.", STAIRS, "A mason named Rodolfo Brink built it."])
def test_missing_refusing_beside_the_question_and_unsupported_outputs_are_undecided(output: str) -> None:
    found = reviewed(output)
    assert (found.answer, found.faults) == ("cannot_tell", ())


@for_each(
    "passages, expected, context, rank",
    [
        ((STAIRS, TOWER), TOWER, "sufficient", 2),
        ((STAIRS,), TOWER, "cannot_tell", None),
        ((STAIRS, TOWER), "", "cannot_tell", None),
        ((), TOWER, "insufficient", None),
        ((" ",), "", "insufficient", None),
        (None, TOWER, "cannot_tell", None),
    ],
)
def test_context_is_sufficient_where_the_expected_output_is_supported(
    passages: tuple[str, ...] | None, expected: str, context: str, rank: int | None
) -> None:
    found = reviewed(TOWER, passages, expected)
    assert (found.context, found.rank) == (context, rank)


@for_each("output, label", [("In 1889.", "acceptable"), (WRONG, "not_acceptable")])
def test_without_passages_the_expected_output_decides(output: str, label: str) -> None:
    assert reviewed(output, None, TOWER).answer == label


def test_context_is_sufficient_for_any_of_several_expected_outputs() -> None:
    assert review(WHEN, TOWER, (STAIRS, TOWER), ("It opened in May 1890.", TOWER)).rank == 2
