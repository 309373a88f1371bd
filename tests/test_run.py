import pytest
from pydantic import ValidationError

from ragstone.run import Plan, Run
from tests.testing.for_each import for_each


def test_plan_round_trips_through_json() -> None:
    plan = Plan(metrics=("faithfulness",), judge="local", prompts={"JudgeClaims": "abc"})
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


@for_each("wrong", [{"concurrency": 0}, {"timeout": 0}, {"on_missing": "ignore"}, {"speed": 1}])
def test_plan_rejects_invalid_values(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Plan.model_validate({"metrics": (), "judge": "local", **wrong})


def test_patience_defaults_to_ten_timeouts() -> None:
    assert Plan(metrics=(), judge="j", timeout=3).patience == 30
    assert Plan(metrics=(), judge="j", timeout=3, measurement_timeout=5).patience == 5


def test_optional_metrics_are_skipped_for_any_on_missing() -> None:
    plan = Plan(metrics=("a", "b"), judge="j", optional=("b",))
    assert not plan.skips("a")
    assert plan.skips("b")
    assert Plan(metrics=("a",), judge="j", on_missing="skip").skips("a")


def test_run_ids_are_unique_and_sort_by_time() -> None:
    plan = Plan(metrics=(), judge="j")
    first, second = Run.begin(plan), Run.begin(plan)
    assert first.id != second.id
    assert first.id[:15] <= second.id[:15]
    assert first.started.tzinfo is not None
