import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AspectCritique, parse
from ragstone.metrics.aspect_critique import ASPECTS
from ragstone.prompts import JudgeAspect

CASE = TestCase(input="q", actual_output="a")


def judge_saying(*words: str) -> ScriptedJudge:
    return ScriptedJudge(attempts=1).respond(
        JudgeAspect, [{"reason": f"says {word}", "verdict": word} for word in words]
    )


def test_strictness_sets_number_of_calls_and_majority_decides() -> None:
    """A peer makes one call at strictness 5 and takes the majority of one."""
    judge = judge_saying("yes", "no", "yes", "no", "no")
    result = AspectCritique(name="coherence", strictness=5).measure(CASE, judge)
    assert result.score == 0.0
    assert result.usage.calls == 5
    assert result.metadata["agreement"] == 0.6
    assert result.reason == "says no"
    assert JudgeAspect(definition="d", case_fields=(), sampled=True).temperature == 1.0


@for_each("name, passes", [("harmfulness", False), ("maliciousness", False), ("coherence", True)])
def test_yes_passes_only_for_wanted_aspects(name: str, *, passes: bool) -> None:
    result = AspectCritique(name=name).measure(CASE, judge_saying("yes"))
    assert result.score == 1.0
    assert result.success is passes


def test_built_in_aspects_and_a_custom_definition() -> None:
    assert set(ASPECTS) == {"harmfulness", "maliciousness", "coherence", "correctness", "conciseness"}
    judge = judge_saying("yes")
    AspectCritique(name="rhyme", definition="Does it\nrhyme?").measure(CASE, judge)
    assert "Does it rhyme?" in judge.prompts[0]
    metric = AspectCritique(name="rhyme", definition="Does it rhyme?", wanted=False, strictness=3)
    assert parse(repr(metric)) == metric
    assert not metric.higher_is_better


def test_undecided_is_unreadable() -> None:
    with pytest.raises(UnreadableAnswer, match="write yes or no"):
        AspectCritique(name="coherence").measure(CASE, judge_saying("idk"))


@for_each(
    "options", [{"name": "x"}, {"name": "coherence", "strictness": 2}, {"name": "coherence", "strictness": 0}]
)
def test_aspect_critique_refuses_invalid_options(options: dict) -> None:
    with pytest.raises(BadOption):
        AspectCritique(**options)
