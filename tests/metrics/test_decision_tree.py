from pathlib import Path

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnknownName, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import DecisionTree, parse

CASE = TestCase(input="q", actual_output="a", expected_output="a")
TREE = {
    "question": "Answered?",
    "answers": {
        "yes": {"question": "How?", "answers": {"plainly": 1.0, "at length": 0.6}},
        "the same": {"metric": "exact_match"},
        "no": 0,
    },
}
YAML = """
question: Answered?
answers:
  yes: {question: "How?", answers: {plainly: 1.0, at length: 0.6}}
  the same: {metric: exact_match}
  no: 0
"""


def tree(data: object = TREE) -> DecisionTree:
    return DecisionTree(name="Form", tree=data)


def judge(*choices: str) -> ScriptedJudge:
    return ScriptedJudge(attempts=1).respond(".", [{"reason": f"because {c}", "choice": c} for c in choices])


@for_each("choices, score", [(["yes", "plainly"], 1.0), (["Yes.", "AT  LENGTH"], 0.6), (["no"], 0.0)])
def test_answers_lead_to_a_leaf_with_one_call_each(choices: list[str], score: float) -> None:
    result = tree().measure(CASE, judge(*choices))
    assert (result.score, result.usage.calls) == (score, len(choices))
    assert [step["question"] for step in result.metadata["path"]] == ["Answered?", "How?"][: len(choices)]
    assert f"because {choices[-1].rstrip('.')}" in result.reason


def test_a_metric_at_a_leaf() -> None:
    result = tree().measure(CASE, judge("the same"))
    assert result.score == 1.0
    assert "exact_match" in result.metadata
    assert "expected_output" in tree().fields_needed


def test_choices_are_asked_in_the_authors_order() -> None:
    scripted = judge("no")
    tree().measure(CASE, scripted)
    assert "- yes\n- the same\n- no" in scripted.prompts[0]


def test_answer_outside_the_choices_is_unreadable() -> None:
    with pytest.raises(UnreadableAnswer, match="none of the choices"):
        tree().measure(CASE, judge("perhaps"))


def test_yaml_tree_reads_yes_and_no_as_text(tmp_path: Path) -> None:
    file = tmp_path / "form.yaml"
    file.write_text(YAML)
    result = tree(str(file)).measure(CASE, judge("yes", "plainly"))
    assert result.score == 1.0
    assert parse(repr(tree(str(file)))) == tree(str(file))


def test_decision_tree_round_trips_through_its_spec() -> None:
    assert parse(repr(tree())) == tree()
    assert hash(parse(repr(tree()))) == hash(tree())


@for_each(
    "data",
    [
        0.5,
        {"question": "Q?"},
        {"question": "Q?", "answers": {"yes": 1}},
        {"question": "Q?", "answers": {"yes": 1, "no": 2}},
        {"question": "Q?", "answers": {"yes": 1, " YES": 0}},
        {"question": "", "answers": {"yes": 1, "no": 0}},
        {"question": "Q?", "answers": {"yes": True, "no": 0}},
        {"question": "Q?", "answers": {"yes": 1, "no": {"score": 1}}},
        "no-such-file.yaml",
    ],
)
def test_invalid_tree_is_refused(data: object) -> None:
    with pytest.raises(BadOption, match="Form"):
        tree(data)


def test_a_leaf_that_names_no_metric_is_refused() -> None:
    with pytest.raises(UnknownName):
        tree({"question": "Q?", "answers": {"yes": {"metric": "fathfulness"}, "no": 0}})
