import pytest
from tests.testing.for_each import for_each

from ragstone.judges.jury import majority, vote
from ragstone.prompts import (
    CaseReview,
    ChosenAnswer,
    ClaimLocation,
    ClaimLocations,
    Claims,
    Decisions,
    Rating,
)
from ragstone.verdict import VerdictValue


@for_each(
    "words, word",
    [(["yes", "yes", "no"], "yes"), (["yes", "no"], "idk"), (["no"], "no"), (["yes", "no", "idk"], "idk")],
)
def test_majority_of_words_or_tie(words: list[VerdictValue], word: VerdictValue) -> None:
    assert majority(words, tie="idk") == word


def test_agreement_is_the_share_that_says_the_same() -> None:
    found = vote([Decisions.of("yes", "no"), Decisions.of("yes", "yes"), Decisions.of("yes", "no")])
    assert found is not None
    assert found.agreement == pytest.approx((1 + 2 / 3) / 2)


def test_a_passage_counts_where_most_name_it() -> None:
    said = [ClaimLocations(verdicts=(ClaimLocation(passages=numbers),)) for numbers in [(1, 2), (2,), (3, 2)]]
    found = vote(said)
    assert found is not None
    assert isinstance(found.answer, ClaimLocations)
    assert found.answer.verdicts[0].passages == (2,)


def test_choices_are_compared_ignoring_case_and_spaces() -> None:
    found = vote(
        [
            ChosenAnswer(reason="a", choice="Yes"),
            ChosenAnswer(reason="b", choice="no"),
            ChosenAnswer(reason="c", choice="yes "),
        ]
    )
    assert found is not None
    assert isinstance(found.answer, ChosenAnswer)
    assert found.answer.choice == "Yes"


def test_distributions_are_mixed() -> None:
    found = vote([Rating(reason="a", score=2, distribution={2: 0.5, 3: 0.5}), Rating(reason="b", score=1)])
    assert found is not None
    assert isinstance(found.answer, Rating)
    assert found.answer.distribution == {1: 0.5, 2: 0.25, 3: 0.25}
    assert found.answer.value == 1.75


def test_extractions_cannot_be_voted_on() -> None:
    assert vote([Claims(claims=("a",)), Claims(claims=("b",))]) is None


def test_choices_are_compared_ignoring_quotes_and_markup() -> None:
    answers = [ChosenAnswer(reason="r", choice=choice) for choice in ("Left", "Right", '"left."', "*left*")]
    found = vote(answers)
    assert found is not None
    shares = {"Left": 0.75, "Right": 0.25}
    assert (found.answer, found.agreement) == (answers[0].model_copy(update={"probabilities": shares}), 0.75)


def review(answer: str, context: str, rank: int | None = None) -> CaseReview:
    return CaseReview.model_validate({"answer": answer, "context": context, "rank": rank})


def test_reviews_are_combined_for_answer_and_context_separately() -> None:
    found = vote(
        [
            review("acceptable", "insufficient"),
            review("not_acceptable", "sufficient", 2),
            review("not_acceptable", "sufficient", 1),
        ]
    )
    assert found is not None
    assert isinstance(found.answer, CaseReview)
    assert (found.answer.answer, found.answer.context, found.answer.rank) == (
        "not_acceptable",
        "sufficient",
        2,
    )
    assert found.answer.acceptable_probability == pytest.approx(1 / 3)
    assert found.agreement == pytest.approx(2 / 3)


def test_tied_reviews_cannot_tell() -> None:
    found = vote([review("acceptable", "sufficient"), review("not_acceptable", "sufficient")])
    assert found is not None
    assert isinstance(found.answer, CaseReview)
    assert (found.answer.answer, found.answer.context) == ("cannot_tell", "sufficient")
