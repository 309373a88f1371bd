import pytest
from pydantic import BaseModel
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnknownName
from ragstone.judges import ScriptedJudge
from ragstone.metrics import JsonCorrectness, parse


class Person(BaseModel):
    name: str
    age: int


def score(actual: str, schema: object = None) -> tuple[float | None, str | None]:
    metric = JsonCorrectness(expected_schema=schema)  # type: ignore[arg-type]
    result = metric.measure(TestCase(input="q", actual_output=actual), ScriptedJudge())
    return result.score, result.reason


def test_any_json_where_no_schema_is_given() -> None:
    assert score("[1, 2]")[0] == 1.0
    assert score('{"a": 1')[0] == 0.0
    assert score("[" * 100_000)[0] == 0.0


def test_schema_mismatch_names_the_field() -> None:
    assert score('{"name": "Ada", "age": 36}', Person)[0] == 1.0
    value, reason = score('{"name": "Ada", "age": "old"}', Person)
    assert value == 0.0
    assert "age" in reason


def test_json_correctness_round_trips_through_its_spec() -> None:
    metric = JsonCorrectness(expected_schema=Person)
    assert metric.expected_schema == f"{__name__}:Person"
    assert parse(repr(metric)) == metric


def test_invalid_or_unknown_schema_is_refused() -> None:
    with pytest.raises(BadOption, match="not a pydantic model"):
        score("{}", f"{__name__}:score")
    with pytest.raises(UnknownName):
        score("{}", "nowhere:Model")

    class Hidden(BaseModel):
        pass

    with pytest.raises(BadOption, match="Hidden"):
        JsonCorrectness(expected_schema=Hidden)


@for_each("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_of_python_are_no_json(constant: str) -> None:
    score = JsonCorrectness().score(f'{{"n": {constant}}}')
    assert (score.value, constant in score.reason) == (0.0, True)


def test_json_in_a_code_fence_is_told() -> None:
    score = JsonCorrectness().score('```json\n{"n": 1}\n```')
    assert score.value == 0
    assert "in a code fence, and fits without it" in score.reason
    assert "in a code fence, it is not JSON" in JsonCorrectness().score("```\n{bad\n```").reason
