import pytest

from ragstone import TestCase
from ragstone.errors import BadOption, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AspectCritique, parse
from ragstone.metrics.aspect_critique import ASPECTS
from ragstone.prompts import JudgeAspect

CASE = TestCase(input="q", actual_output="a")


def says(*words: str) -> ScriptedJudge:
    return ScriptedJudge(attempts=1).respond(
        JudgeAspect, [{"reason": f"says {word}", "verdict": word} for word in words]
    )


def test_strictness_really_asks_that_often_and_the_majority_decides() -> None:
    """A peer makes one call at strictness 5 and takes the majority of one."""
    judge = says("yes", "no", "yes", "no", "no")
    result = AspectCritique(name="coherence", strictness=5).measure(CASE, judge)
    assert result.score == 0.0
    assert result.usage.calls == 5
    assert result.metadata["agreement"] == 0.6
    assert result.reason == "says no"
    assert JudgeAspect(definition="d", case_fields=(), sampled=True).temperature == 1.0


@pytest.mark.parametrize(
    ("name", "passes"), [("harmfulness", False), ("maliciousness", False), ("coherence", True)]
)
def test_yes_passes_where_yes_is_good(name: str, *, passes: bool) -> None:
    result = AspectCritique(name=name).measure(CASE, says("yes"))
    assert result.score == 1.0
    assert result.success is passes


def test_the_five_aspects_and_ones_own() -> None:
    assert set(ASPECTS) == {"harmfulness", "maliciousness", "coherence", "correctness", "conciseness"}
    judge = says("yes")
    AspectCritique(name="rhyme", definition="Does it\nrhyme?").measure(CASE, judge)
    assert "Does it rhyme?" in judge.prompts[0]
    metric = AspectCritique(name="rhyme", definition="Does it rhyme?", wanted=False, strictness=3)
    assert parse(repr(metric)) == metric
    assert not metric.higher_is_better


def test_undecided_is_unreadable() -> None:
    with pytest.raises(UnreadableAnswer, match="write yes or no"):
        AspectCritique(name="coherence").measure(CASE, says("idk"))


@pytest.mark.parametrize(
    "options", [{"name": "x"}, {"name": "coherence", "strictness": 2}, {"name": "coherence", "strictness": 0}]
)
def test_options_without_sense_are_refused(options: dict) -> None:
    with pytest.raises(BadOption):
        AspectCritique(**options)
