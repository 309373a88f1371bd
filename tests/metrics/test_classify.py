from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, CannotJudge, UnreadableAnswer
from ragstone.judges import JuryJudge, ScriptedJudge
from ragstone.metrics import Classify, parse
from ragstone.prompts import ChooseLabel

CASE = TestCase(input="How do I reset it?", actual_output="I cannot help with that.")
LABELS = {
    "answered": "It answers what was asked.",
    "partly": "It answers a part of it.",
    "refused": "It declines to answer.",
}


def judge_saying(*choices: str) -> ScriptedJudge:
    return ScriptedJudge(attempts=1).respond(
        ChooseLabel, [{"reason": f"says {choice}", "choice": choice} for choice in choices]
    )


def test_label_is_read_whatever_its_case_and_quotes() -> None:
    judge = judge_saying("'Refused'.")
    result = Classify(labels=LABELS).measure(CASE, judge)
    assert (result.label, result.score, result.status) == ("refused", None, None)
    assert result.categories == ("answered", "partly", "refused")
    assert result.usage.calls == 1
    assert "refused: It declines to answer.\ncannot_tell: only if" in judge.prompts[0]
    assert str(result) == "Classify: refused - says 'Refused'."


@for_each("choice, status, score", [("answered", "passed", 1.0), ("partly", "missed", 0.0)])
def test_passing_labels_pass(choice: str, status: str, score: float) -> None:
    result = Classify(labels=LABELS, name="Outcome", passing=["answered"]).measure(CASE, judge_saying(choice))
    assert (result.metric, result.label, result.status, result.score) == (
        "Outcome [Classify]",
        choice,
        status,
        score,
    )


@for_each("passing, bounds", [(None, (None, None)), (("answered",), (0.0, 1.0))])
def test_cannot_tell_is_undecided(passing: Any, bounds: tuple[float | None, float | None]) -> None:
    result = Classify(labels=LABELS, passing=passing).measure(CASE, judge_saying("cannot_tell"))
    assert (result.label, result.status, (result.low, result.high)) == (None, "undecided", bounds)
    assert result.reason == "says cannot_tell"


def test_jury_decides_by_majority_and_a_tie_is_undecided() -> None:
    def by_jury(*choices: str) -> Any:
        jurors = [judge_saying(choice) for choice in choices]
        return Classify(labels=LABELS).measure(CASE, JuryJudge(jurors=jurors))

    most = by_jury("refused", "partly", "REFUSED")
    assert most.label == "refused"
    assert sorted(most.metadata["probabilities"].values()) == pytest.approx([1 / 3, 2 / 3])
    assert by_jury("refused", "partly").status == "undecided"


def test_answer_that_is_no_label_is_refused() -> None:
    with pytest.raises(UnreadableAnswer, match="write one of 'answered', 'partly', 'refused', 'cannot_tell'"):
        Classify(labels=LABELS).measure(CASE, judge_saying("other"))


def test_embedded_judge_says_that_it_cannot_classify() -> None:
    with pytest.raises(CannotJudge, match="ChooseLabel"):
        Classify(labels=LABELS).measure(CASE, "local")


def test_spec_reads_back_and_a_metric_is_a_key() -> None:
    metric = Classify(labels=LABELS, passing=("answered",), evaluation_params=["actual_output"])
    assert parse(repr(metric)) == metric
    assert hash(parse(repr(metric))) == hash(metric)


@for_each(
    "options, message",
    [
        ({"labels": {"only": "one"}}, "two or more"),
        ({"labels": {"Yes": "a", "yes": "b"}}, "that differ"),
        ({"labels": {"a": "x", "cannot_tell": "y"}}, "none of them cannot_tell"),
        ({"labels": {"a": "x", "b": " "}}, "'b' has no description"),
        ({"labels": LABELS, "passing": ["anwered"]}, "Did you mean 'answered'"),
    ],
)
def test_labels_that_cannot_be_asked_for_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        Classify(**options)
