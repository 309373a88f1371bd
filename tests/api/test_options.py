"""The options of `evaluate`: one class, from which the signature, the checks and the flat spelling come."""

import inspect
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import Batch, Limits, Ray, aevaluate, evaluate
from ragstone.api import EvaluateOptions, estimate
from ragstone.api.options import read_options
from ragstone.errors import BadOption

CASE = {"input": "2 + 2?", "actual_output": "4", "expected_output": "4"}


@for_each("function", [evaluate, aevaluate, estimate])
def test_the_signature_names_every_option(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    assert [*parameters] == ["data", "metrics", *EvaluateOptions.model_fields]
    assert parameters["concurrency"].default == 16


def test_a_mistyped_option_names_the_nearest() -> None:
    wrong: dict[str, Any] = {"concurency": 3}
    with pytest.raises(TypeError, match=r"evaluate\(\) got .* 'concurency'\. Did you mean 'concurrency'\?"):
        evaluate([CASE], "exact_match", **wrong)


@for_each("wrong", [{"concurrency": 0}, {"timeout": -1}, {"repeats": 0}, {"tags": "nightly"}])
def test_an_option_out_of_bounds_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=f"{next(iter(wrong))}="):
        evaluate([CASE], "exact_match", **wrong)


def test_limits_reach_the_plan() -> None:
    grouped = evaluate([CASE], "exact_match", limits=Limits(rpm=600, tpm=10_000)).run.plan
    flat: dict[str, Any] = {"rpm": 600, "tpm": 10_000}
    assert grouped.rpm == 600
    assert grouped.tpm == 10_000
    assert evaluate([CASE], "exact_match", **flat).run.plan == grouped


def test_flat_options_are_merged_into_option_groups() -> None:
    options = read_options("evaluate", {"limits": Limits(rpm=5), "max_cost": 1})
    assert options.limits == Limits(rpm=5, max_cost=1)
    assert read_options("evaluate", {"batch": True, "batch_interval": 3}).engine == Batch(interval=3)
    assert read_options("evaluate", {"engine": "ray", "ray_workers": 2}).engine == Ray(workers=2)
    assert read_options("evaluate", {"batch": False}).engine == "local"
    assert read_options("evaluate", {"batch": None}).engine is None


@for_each(
    "wrong, message",
    [
        ({"batch": True, "engine": "ray"}, "a batch is collected in one process"),
        ({"ray_workers": 2}, "ray_workers=2 applies only to Ray: add engine='ray'"),
        (
            {"ray_workers": 2, "engine": Ray()},
            "ray_workers=2 cannot be combined with engine=.*: give it as an argument",
        ),
        ({"engine": "spark"}, "engine='spark': write 'local', 'ray'"),
        ({"engine": "ray", "ray_workers": 0}, "ray_workers=0"),
    ],
)
def test_engines_that_contradict_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        evaluate([CASE], "exact_match", **wrong)
