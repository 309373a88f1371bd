import numpy as np
from tests.audit.tuning.topic_judge import METRIC, TopicJudge, labelled

from ragstone import evaluate
from ragstone.audit.tuning.candidates import CandidateMaker
from ragstone.audit.tuning.labelled import LabelledRun, labelled_run
from ragstone.audit.tuning.measuring import deciding_prompts
from ragstone.metrics import parse


def of_scores(scores: list[float], truth: list[bool], codes: tuple[int, ...] | None = None) -> LabelledRun:
    rows = labelled(60, note="why")
    base = labelled_run(evaluate(rows, METRIC, judge=TopicJudge()), parse(METRIC), "label", None)
    n = len(scores)
    return LabelledRun(
        base.metric, base.cases[:n], np.array(truth), np.array(scores), codes, base.reasons[:n], 0
    )


def test_disagreements_alternate_false_passes_and_false_fails() -> None:
    run = of_scores([0.9, 0.6, 1.0, 0.1, 0.4, 0.8], [False, False, False, True, True, True])
    assert run.disagreements(np.arange(6)) == [2, 3, 0, 4, 1]
    assert run.disagreements(np.array([1, 4, 5])) == [1, 4]


def test_disagreements_list_only_the_worst_per_group() -> None:
    run = of_scores([0.9, 0.6, 1.0, 0.1], [False, False, False, True], codes=(0, 1, 0, 0))
    assert run.disagreements(np.arange(4)) == [2, 1]


def test_example_has_needed_fields_label_and_note() -> None:
    example = of_scores([0.9], [False]).example(0)
    assert [label for label, _ in example.texts] == ["input", "actual output"]
    assert (example.decision, example.note) == ("fail", "why")


def test_candidate_maker_uses_only_the_given_cases() -> None:
    run = of_scores([0.9, 0.6, 1.0, 0.1], [False, False, False, True])
    maker = CandidateMaker(run, write_rules=lambda told: (f"{len(told)} notes",))
    assert maker.names() == ("plain judge", "threshold", "2 examples", "4 examples", "8 examples", "rules")
    made = maker.make("2 examples", np.array([0, 1, 2]))
    assert [example.case_id for example in made.guidance.examples] == [run.cases[2].id, run.cases[0].id]
    assert maker.make("rules", np.arange(4)).guidance.rules == ("4 notes",)
    assert maker.make("4 examples", np.array([], dtype=np.intp)) is None
    assert CandidateMaker(run, with_examples=False).names() == ("plain judge", "threshold")


def test_deciding_prompts_of_each_metric() -> None:
    assert deciding_prompts(parse("faithfulness")) == ("JudgeClaims",)
    assert deciding_prompts(parse("answer_relevancy")) == ("JudgeStatements",)
    assert deciding_prompts(parse("exact_match")) == ()
