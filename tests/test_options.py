"""Each option is defined once; everything that spells it is made from that definition."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from ragstone.api import EvaluateOptions
from ragstone.cli.run import command
from ragstone.config import Settings
from ragstone.errors import BadOption
from ragstone.options import (
    RUN_OPTIONS,
    Batch,
    EngineOptions,
    Flag,
    Limits,
    OptionGroup,
    Pace,
    Ray,
    engine_of,
    flag_of,
    form_fields,
    form_options,
    meanings,
)
from ragstone.run import Plan
from tests.testing.for_each import for_each

SOURCE = Path(__file__).parents[1] / "src"


def test_max_cost_is_named_only_where_it_is_bounded() -> None:
    """By the option, its two docstrings and the budget, and by sweeps and coding agents, which bound several runs."""
    found = {
        path.relative_to(SOURCE / "ragstone").as_posix()
        for path in SOURCE.rglob("*")
        if path.suffix in {".py", ".html", ".js"} and re.search(r"\bmax_cost\b", path.read_text("utf-8"))
    }
    assert found == {
        "options.py",
        "api/options.py",
        "api/_evaluate.py",
        "engine/budget.py",
        "api/_sweep.py",
        "mcp/estimates.py",
        "mcp/results.py",
    }


@for_each("group", RUN_OPTIONS)
def test_every_option_has_a_meaning_and_a_flag(group: type[OptionGroup]) -> None:
    flags = {parameter.name for parameter in command.params}
    assert set(meanings(group)) == set(group.model_fields) <= flags
    assert all(isinstance(flag_of(group, name), Flag) for name in group.model_fields)


def test_options_are_fields_of_plan_settings_and_evaluate() -> None:
    assert {*Limits.model_fields} <= {*Plan.model_fields} & {*Settings.model_fields}
    assert {*Pace.model_fields} <= {*EvaluateOptions.model_fields} & {*Settings.model_fields}
    assert {*form_options()} == {*form_fields()} == {"limit", "repeats", "max_cost", "concurrency"}


@for_each(
    "model, values, message",
    [
        (Limits, {"rpm": 0}, "rpm=0: input should be greater than 0"),
        (Limits, {"rpms": 3}, "rpms=3: extra inputs are not permitted"),
        (Pace, {"concurrency": 0}, "concurrency=0: input should be greater than or equal to 1"),
        (Ray, {"workers": 0}, "workers=0: input should be greater than or equal to 1"),
    ],
)
def test_option_out_of_bounds_is_rejected(
    model: type[OptionGroup], values: dict[str, object], message: str
) -> None:
    with pytest.raises(BadOption, match=message):
        model.read(**values)


def numbers(group: type[OptionGroup]) -> list[str]:
    fields = group.model_fields.items()
    return [name for name, field in fields if {field.annotation, *get_args(field.annotation)} & {int, float}]


@pytest.mark.parametrize("wrong", [True, False, "4"])
@for_each("group, name", [(group, name) for group in (*RUN_OPTIONS, Ray, Batch) for name in numbers(group)])
def test_number_option_rejects_booleans_and_texts(group: type[OptionGroup], name: str, wrong: Any) -> None:
    with pytest.raises(BadOption, match=f"{name}={wrong!r}: input should be a valid (integer|number)"):
        group.read(**{name: wrong})


def test_number_options_are_listed_completely() -> None:
    counts = ["app_concurrency", "app_repeats", "concurrency", "limit", "ray_workers", "repeats", "workers"]
    amounts = [
        "app_rpm",
        "app_timeout",
        "batch_interval",
        "max_cost",
        "measurement_timeout",
        "rpm",
        "threshold",
        "timeout",
        "tpm",
    ]
    assert sorted(name for group in RUN_OPTIONS for name in numbers(group)) == sorted(counts + amounts)
    assert (numbers(Ray), numbers(Batch)) == (["workers"], ["interval"])
    assert Pace.read(timeout=60).timeout == 60.0


def test_engine_of_returns_the_engine_of_flat_options() -> None:
    assert engine_of(EngineOptions()) == "local"
    assert engine_of(EngineOptions(engine="ray", ray_workers=2)) == Ray(workers=2)
    assert engine_of(EngineOptions(batch=True)) == Batch()
    with pytest.raises(BadOption, match="engine='ray': a batch is collected in one process"):
        engine_of(EngineOptions(engine="ray", batch=True))


def test_meanings_include_those_of_base_classes() -> None:
    class Base(BaseModel):
        """A base.

        Attributes:
            one: the first,
                and its second line.
        """

        one: int = 1

    class Derived(Base):
        """A derived class.

        Attributes:
            two: the second.
        """

        two: int = 2

    assert meanings(Derived) == {"one": "the first, and its second line", "two": "the second"}
