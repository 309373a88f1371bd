import random

import pytest
from tests.audit.tuning.topic_judge import METRIC, RULE, TopicJudge, labelled

from ragstone import evaluate
from ragstone.audit import tune
from ragstone.errors import BadOption
from ragstone.judges import ScriptedJudge, TunedJudge
from ragstone.judges.tuned import JudgeTuning
from ragstone.stats import ErrorCosts


def share_right(judge: object, seed: int) -> float:
    """Return the share of new cases on which a judge decides as people do."""
    rows = labelled(60, seed=seed, flipped=0.0)
    report = evaluate(rows, METRIC, judge=judge)  # pyright: ignore[reportArgumentType]
    decided = [int(result.score or 0) for (result,) in report.results]
    return sum(one == row["label"] for one, row in zip(decided, rows, strict=True)) / len(rows)


def test_tuning_with_examples_improves_agreement_on_new_cases() -> None:
    found = tune(METRIC, labelled(60), judge=TopicJudge())
    assert found.adopted
    assert found.chosen in ("4 examples", "8 examples")
    assert found.gain.before == 0.0  # it lets everything pass
    assert found.gain.after > 0.5
    assert found.gain.difference.interval.low > 0.2
    assert len(found.folds) == 5
    assert sum(fold.n for fold in found.folds) == 60
    assert sum(fold.right_after - fold.right_before for fold in found.folds) > 15
    assert found.tuning is not None
    assert found.tuning.prompts == ("JudgeAspect",)
    assert found.tuning.card["labels"] == 60
    assert share_right(TopicJudge(), 7) == 0.5
    assert share_right(TunedJudge(TopicJudge(), found.tuning), 7) > 0.8
    assert found.sentence().startswith(f"Adopted: {found.chosen}. On unseen cases, Cohen's kappa")


def test_rules_from_peoples_notes_are_tried() -> None:
    found = tune(METRIC, labelled(50, note="too vague", topics=20), judge=TopicJudge())
    assert found.chosen == "rules"
    assert found.tuning.guidance.rules == (RULE,)
    assert found.adopted
    without = tune(METRIC, labelled(50, note="too vague", topics=20), judge=TopicJudge(), rules=False)
    assert without.chosen != "rules"


def test_the_embedded_judge_has_its_threshold_tuned() -> None:
    draw = random.Random(0)
    rows = []
    for number in range(80):
        right_letters = draw.randrange(4, 10)
        text = "abcdefghij"[:right_letters] + "-" * (10 - right_letters)
        row = {"input": f"q{number}", "actual_output": text, "expected_output": "abcdefghij"}
        rows.append({**row, "label": int(right_letters >= 8)})
    found = tune("edit_similarity", rows, judge="local")
    assert (found.chosen, found.measurements) == ("threshold", 0)
    assert found.tuning.threshold == pytest.approx(0.75, abs=0.05)
    assert found.gain.after == 1.0
    assert found.adopted


def test_tuning_without_improvement_is_not_adopted() -> None:
    judge = ScriptedJudge().respond("exact", {"reason": "so", "verdict": "yes"})
    found = tune(METRIC, labelled(40), judge=judge)
    assert not found.adopted
    assert found.tuning is None
    assert found.gain.changed == 0
    assert found.sentence() == "Not adopted: no candidate did better than the plain judge on these 40 labels."


def test_costs_decide_instead_of_kappa() -> None:
    found = tune(METRIC, labelled(60), judge=TopicJudge(), costs=ErrorCosts(false_pass=5.0))
    assert found.gain.measure == "cost"
    assert found.gain.before > found.gain.after
    assert found.adopted


def test_invalid_tuning_input_raises_bad_option() -> None:
    with pytest.raises(BadOption, match="5 labels are yes and 5 are no"):
        tune(METRIC, labelled(10, flipped=0.0), judge=TopicJudge())
    with pytest.raises(BadOption, match="needs yes or no"):
        tune(
            METRIC,
            [{**row, "label": number % 5} for number, row in enumerate(labelled(40))],
            judge=TopicJudge(),
        )
    with pytest.raises(BadOption, match="is already tuned"):
        tune(METRIC, labelled(40), judge=TunedJudge(TopicJudge(), JudgeTuning("topic", METRIC)))
    with pytest.raises(BadOption, match="folds=1"):
        tune(METRIC, labelled(40), judge=TopicJudge(), folds=1)
