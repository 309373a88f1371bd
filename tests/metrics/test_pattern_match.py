import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption
from ragstone.judges import ScriptedJudge
from ragstone.metrics import PatternMatch


@for_each(
    "actual, options, score",
    [
        ("2024-01-31", {"pattern": r"\d{4}-\d\d-\d\d"}, 1.0),
        (" 2024-01-31\n", {"pattern": r"\d{4}-\d\d-\d\d"}, 1.0),
        ("on 2024-01-31", {"pattern": r"\d{4}-\d\d-\d\d"}, 0.0),
        ("YES", {"pattern": "yes"}, 0.0),
        ("YES", {"pattern": "yes", "ignore_case": True}, 1.0),
    ],
)
def test_pattern_must_match_the_whole_trimmed_output(actual: str, options: dict, score: float) -> None:
    result = PatternMatch(**options).measure(TestCase(input="q", actual_output=actual), ScriptedJudge())
    assert (result.score, result.usage.calls) == (score, 0)


def test_invalid_regular_expression_is_refused() -> None:
    with pytest.raises(BadOption, match="unterminated"):
        PatternMatch(pattern="[a-")


def test_the_reason_says_whether_the_output_matches_which_pattern() -> None:
    metric = PatternMatch(pattern="yes|no")
    assert metric.score(fits=True).reason == "The actual output matches 'yes|no'."
    assert metric.score(fits=False).reason == "The actual output does not match 'yes|no'."
