"""The embedded judge rates by what it finds out: the best rating for yes, the worst for no, the middle for idk."""

import asyncio
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import CannotJudge
from ragstone.judges import LocalJudge
from ragstone.prompts import (
    ChooseAnswer,
    JudgeAbstention,
    LocateClaims,
    Prompt,
    RateAccuracy,
    RateContexts,
    RateGrounding,
    RatePassage,
    RateStatement,
)

TOWER, BREAD = "The tower was built in 1889.", "Bread is made of flour and water."
WHEN = "When was the tower built?"


def ask(prompt: Prompt[Any]) -> Any:
    return asyncio.run(LocalJudge().ask(prompt)).answer


@for_each(
    "good, bad, best",
    [
        (RatePassage(passage=TOWER, input=WHEN), RatePassage(passage=BREAD, input=WHEN), 3),
        (
            RateStatement(passages=(TOWER,), statement=TOWER),
            RateStatement(passages=(BREAD,), statement=TOWER),
            3,
        ),
        (
            RateAccuracy(input=WHEN, actual_output=TOWER, expected_output=TOWER),
            RateAccuracy(input=WHEN, actual_output=BREAD, expected_output=TOWER),
            4,
        ),
        (RateContexts(passages=(BREAD, TOWER), input=WHEN), RateContexts(passages=(BREAD,), input=WHEN), 2),
        (
            RateGrounding(passages=(TOWER,), actual_output=TOWER),
            RateGrounding(passages=(BREAD,), actual_output=TOWER),
            2,
        ),
    ],
)
def test_clearly_good_prompt_gets_the_best_rating(good: Prompt[Any], bad: Prompt[Any], best: int) -> None:
    right, wrong = ask(good), ask(bad)
    assert right.score == best
    assert wrong.score < best
    assert good.check(right) is None
    assert bad.check(wrong) is None
    assert right.reason


def test_claims_are_located_passage_by_passage() -> None:
    prompt = LocateClaims(passages=(BREAD, TOWER, TOWER), claims=(TOWER, BREAD))
    answer = ask(prompt)
    assert [location.passages for location in answer.verdicts] == [(2, 3), (1,)]
    assert prompt.check(answer) is None


def test_free_question_raises_cannot_judge() -> None:
    with pytest.raises(CannotJudge, match="language model"):
        ask(ChooseAnswer(question="Kind?", choices=("yes", "no"), case_fields=()))


def test_a_refusal_in_a_language_never_measured_takes_a_language_model() -> None:
    refusal = "Non lo so: nei documenti che ho letto non si trova niente."
    with pytest.raises(CannotJudge, match="only in English"):
        ask(JudgeAbstention(input=WHEN, actual_output=refusal))


@for_each(
    "reference, undecided",
    [("In 1889.", False), (TOWER, False), ("It is known that the tower was built in 1889.", True)],
)
def test_an_answer_is_called_accurate_only_beside_a_short_or_equal_reference(
    reference: str,
    undecided: bool,  # noqa: FBT001
) -> None:
    rating = ask(RateAccuracy(input=WHEN, actual_output=TOWER, expected_output=reference))
    assert rating.undecided is undecided
    assert rating.score == (2 if undecided else 4)
