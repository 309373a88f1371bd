"""Defining and constructing a metric: what is written wrong is reported at once, with what to write instead."""

import pickle
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any, Literal

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import BadOption, InvalidScore
from ragstone.metrics import Faithfulness, Metric, Score, parse
from ragstone.metrics.base.definition import fits, spelled

CASE = TestCase(input="?", actual_output="one two three four")


class Brevity(Metric):
    """Is the output short enough?"""

    needs = ("actual_output",)
    threshold: float = 0.8
    max_words: int = 100

    def assess(self, case: TestCase, ctx: MetricContext) -> float:
        del ctx
        return min(1.0, self.max_words / len(case.text("actual_output").split()))


class Waits(Brevity):
    """The same, async, with a score of its own."""

    tags: Sequence[str] = field(default_factory=list)
    threshold = 0.4  # without a type

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:  # type: ignore[override]
        del case, ctx
        return Score(0.5, "Half.", {"words": 4})


@dataclass(frozen=True, kw_only=True, repr=False)
class Decorated(Brevity):
    """With the decorator that used to be needed."""

    extra: int = 1


@dataclass(frozen=True)
class DecoratedInPart(Brevity):
    """With half of it."""

    extra: int = 1


def test_a_sync_assess_may_return_a_number() -> None:
    result = Brevity(max_words=2).measure(CASE)
    assert (result.score, result.success) == (0.5, False)
    assert result.summary() == "Brevity: FAIL (50.0%) - The score is 0.50."


def test_an_async_assess_may_return_a_score() -> None:
    result = Waits().measure(CASE)
    assert (result.score, result.reason, result.threshold, result.success) == (0.5, "Half.", 0.4, True)


@for_each("kind", [Brevity, Waits, Decorated, DecoratedInPart])
def test_options_are_fields_and_the_repr_is_the_spec(kind: type[Brevity]) -> None:
    metric = kind(max_words=2, threshold=0.25)
    assert repr(metric) == f"{__name__}:{kind.__name__}(threshold=0.25, max_words=2)"
    assert parse(repr(metric)) == metric
    assert hash(metric) == hash(kind(max_words=2, threshold=0.25)) if kind is not Waits else True
    assert replace(metric, max_words=3).max_words == 3
    assert pickle.loads(pickle.dumps(metric)) == metric  # noqa: S301  (our own bytes)
    with pytest.raises(FrozenInstanceError):
        metric.max_words = 3  # type: ignore[misc]
    with pytest.raises(BadOption, match="Did you mean 'max_words'"):
        kind(max_word=3)  # type: ignore[call-arg]


def test_a_mistyped_option_is_recognised() -> None:
    with pytest.raises(
        BadOption, match=r"no option of Faithfulness named 'treshold'\. Did you mean 'threshold'"
    ):
        Faithfulness(treshold=0.8)  # type: ignore[call-arg]


@for_each(
    "option, value, instead",
    [
        ("threshold", "high", "Faithfulness: threshold='high': write a number"),
        ("threshold", True, "write a number"),
        ("batch_size", 1.5, "batch_size=1.5: write a whole number"),
        ("strict_mode", "yes", "write True or False"),
        ("evidence", "facts", "write 'truths' or 'context'"),
        ("truths_extraction_limit", "3", "write a whole number or None"),
    ],
)
def test_a_value_of_another_type_is_refused(option: str, value: object, instead: str) -> None:
    with pytest.raises(BadOption) as error:
        Faithfulness(**{option: value})  # type: ignore[arg-type]
    assert instead in str(error.value)


def test_positional_options_are_refused() -> None:
    with pytest.raises(BadOption, match=r"Brevity\(5\): options must be named"):
        Brevity(5)  # type: ignore[misc]


def test_a_class_without_needs_is_refused_where_it_is_defined() -> None:
    with pytest.raises(BadOption, match="class NoNeeds does not define needs: write needs = "):

        class NoNeeds(Metric):
            def assess(self, case: TestCase, ctx: MetricContext) -> float:
                del case, ctx
                return 1.0


@for_each(
    "needs, message",
    [("actual_output", "write a tuple of names"), (("actual_ouput",), "'actual_output'")],
)
def test_needs_must_be_a_tuple_of_test_case_fields(needs: Any, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        type("Wrong", (Brevity,), {"needs": needs})


def test_an_assess_with_other_parameters_is_refused_where_it_is_defined() -> None:
    with pytest.raises(
        BadOption, match=r"Alone: assess takes \(self, case\): write def assess\(self, case, ctx\)"
    ):

        class Alone(Metric):
            needs = ()

            def assess(self, case: TestCase) -> float:  # type: ignore[override]
                del case
                return 1.0

    with pytest.raises(BadOption, match="assess is not a method"):
        type("NoMethod", (Brevity,), {"assess": 3})


def test_assess_returning_text_needs_categories() -> None:
    class Text(Brevity):
        def assess(self, case: TestCase, ctx: MetricContext) -> str:
            del case, ctx
            return "good"

    with pytest.raises(
        InvalidScore, match=r"'good', but it has no categories: write categories = \('good', …\)"
    ):
        Text().measure(CASE)


@for_each(
    "names, passing, message",
    [
        (("a", "a"), None, "write different names"),
        (("a", "b" * 101), None, "at most 100 characters"),
        (("refused", "answered"), ("anwered",), "Did you mean 'answered'"),
        (("a",), "a", "write a list of labels"),
    ],
)
def test_labels_that_cannot_be_told_apart_are_refused(
    names: tuple[str, ...], passing: Any, message: str
) -> None:
    class Labelled(Brevity):
        categories = names

    Labelled.passing = passing
    with pytest.raises(BadOption, match=message):
        Labelled()


@for_each(
    "value, hint, expected",
    [
        ([1, 2], tuple[int, int], True),
        ([1], tuple[int, int], False),
        (("a",), Sequence[str], True),
        ("a", Sequence[str], False),
        (["a", 1], Sequence[str], False),
        ({"a": 1}, dict[str, int], True),
        (1, float, True),
        (True, int, False),
        (1, Literal["a"], False),
        (int, type[int] | None, True),
        (object(), Any, True),
    ],
)
def test_fits_checks_values_against_type_hints(value: object, hint: Any, *, expected: bool) -> None:
    assert fits(value, hint) is expected


def test_types_are_spelled_in_words() -> None:
    assert spelled(tuple[int, int] | None) == "a list of 2 or None"
    assert spelled(dict[str, int]) == "a mapping"
    assert spelled(Sequence[str]) == "a list of texts"
