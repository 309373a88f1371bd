"""A metric that is measured for each turn: turns as test cases, their mean, its bounds, the first that misses."""

from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, MissingField, NotApplicable
from ragstone.findings.view.findings import verdict_labels_for
from ragstone.metrics import ExactMatch, Faithfulness, Hallucination, Metric, TurnRelevancy, parse
from ragstone.metrics.base.turns import TurnScore, turn_cases, turns_score
from ragstone.score import Score

CONVERSATION = TestCase.model_validate(
    {
        "name": "bridge",
        "turns": [
            {"role": "user", "content": "When was it opened?", "expected_output": "In 1902."},
            {
                "role": "assistant",
                "content": "<think>hm</think>In 1902.",
                "retrieval_context": ["Opened in 1902."],
            },
            {"role": "user", "content": "Thanks!"},
            {"role": "assistant", "content": "You are welcome."},
            {"role": "user", "content": "How long is it?", "expected_output": "210 metres."},
            {"role": "assistant", "content": "300 metres.", "retrieval_context": ["It is 210 metres long."]},
        ],
    }
)


class ByLength(Metric):
    """Scores an answer by its first digit."""

    needs = ("actual_output", "retrieval_context")

    def assess(self, case: TestCase, ctx: Any) -> float:
        """Score."""
        del ctx
        return int(case.text("actual_output").removeprefix("In ")[0]) / 4


class Labelled(ByLength):
    """Gives labels."""

    categories = ("short", "long")


def test_turn_is_a_test_case_with_what_was_said_before_as_input() -> None:
    cases = dict(turn_cases(CONVERSATION))
    assert list(cases) == [2, 4, 6]
    assert cases[2].input == "When was it opened?"
    assert cases[4].input == "user: When was it opened?\nassistant: In 1902.\nuser: Thanks!"
    assert (cases[6].expected_output, cases[6].name) == ("210 metres.", "bridge, turn 6")
    assert cases[6].passages() == ("It is 210 metres long.",)


def test_score_is_the_mean_of_the_measured_turns_and_the_reason_names_the_first_that_misses() -> None:
    result = ByLength(per_turn=True).measure(CONVERSATION)
    assert (result.score, result.metric, result.metadata["first_missed"]) == (0.5, "ByLength per turn", 2)
    assert [(turn["turn"], turn["status"]) for turn in result.metadata["turns"]] == [
        (2, "missed"),
        (4, "skipped"),
        (6, "passed"),
    ]
    assert result.reason == (
        "1 of 2 assistant turns passed; turn 2 is the first that misses: The score is 0.25. "
        "Turn 4 is not counted: It has no retrieval_context."
    )
    assert [(verdict.statement, verdict.verdict) for verdict in result.verdicts] == [
        ("turn 2: <think>hm</think>In 1902.", "no"),
        ("turn 6: 300 metres.", "yes"),
    ]
    assert ByLength(per_turn=True, strict_mode=True).measure(CONVERSATION).score == 0


def test_faithfulness_of_a_turn_asks_with_its_own_passages() -> None:
    result = parse("faithfulness(per_turn=True)").measure(CONVERSATION, "local")
    assert (result.score, result.metadata["first_missed"]) == (0.5, 6)
    assert verdict_labels_for(result).no == "missed"


def undecided(low: float, high: float) -> Score:
    return Score(None, "too close to call", low=low, high=high)


@for_each("higher, worst", [(True, 4), (False, 2)])
def test_undecided_turns_widen_the_bounds_and_count_neither_way(*, higher: bool, worst: int) -> None:
    turns = [
        TurnScore(2, "a", Score(1.0, "good"), None, "good"),
        TurnScore(4, "b", Score(0.4, "bad"), None, "bad"),
        TurnScore(6, "c", undecided(0, 0.5), None, "too close to call"),
    ]
    score = turns_score(turns, higher_is_better=higher, has_threshold=False)
    assert (score.value, score.bounds) == (
        pytest.approx(0.7),
        (pytest.approx(1.4 / 3), pytest.approx(1.9 / 3)),
    )
    assert f"the worst is turn {worst}" in score.reason
    alone = turns_score(turns[2:], higher_is_better=higher, has_threshold=False)
    assert (alone.value, alone.bounds) == (None, (0, 0.5))


def test_conversation_that_cannot_be_measured() -> None:
    with pytest.raises(MissingField, match="turns"):
        ExactMatch(per_turn=True).measure(TestCase(input="q", actual_output="a", expected_output="a"))
    with pytest.raises(MissingField, match="context"):
        Hallucination(per_turn=True).measure(
            CONVERSATION.model_copy(update={"turns": CONVERSATION.turns[2:4]})
        )
    with pytest.raises(NotApplicable, match="no turn of the assistant"):
        Faithfulness(per_turn=True).measure(CONVERSATION.model_copy(update={"turns": CONVERSATION.turns[:1]}))
    with pytest.raises(BadOption, match="reads the whole conversation"):
        TurnRelevancy(per_turn=True)
    with pytest.raises(BadOption, match="gives labels"):
        Labelled(per_turn=True)
