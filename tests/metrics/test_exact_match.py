from typing import Any

from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ExactMatch


@for_each(
    "actual, expected, options, score",
    [
        ("Paris", "Paris", {}, 1.0),
        (" Paris\n", "Paris", {}, 1.0),
        ("paris", "Paris", {}, 0.0),
        ("paris", "Paris", {"case_sensitive": False}, 1.0),
        ("STRASSE", "straße", {"case_sensitive": False}, 1.0),
        ("a  b\tc", "a b c", {}, 0.0),
        ("a  b\tc", "a b c", {"normalize_whitespace": True}, 1.0),
    ],
)
def test_exact_match_options_for_case_and_whitespace(
    actual: Any, expected: Any, options: Any, score: Any
) -> None:
    case = TestCase(input="q", actual_output=actual, expected_output=expected)
    result = ExactMatch(**options).measure(case, ScriptedJudge())
    assert result.score == score
    assert result.success is (score == 1.0)
    assert result.usage.calls == 0
    assert result.threshold == 1.0
