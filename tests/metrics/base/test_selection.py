import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, MissingField, UnknownName
from ragstone.metrics import NDCG, ContextualRecall, Faithfulness, HitRate
from ragstone.metrics.base.catalog import PRESETS
from ragstone.metrics.base.selection import measurable_metrics, parse_metrics, preset_metrics

BARE, FULL = (
    TestCase(input="q", actual_output="a"),
    TestCase(input="q", actual_output="a", expected_output="e", retrieval_context=["p"]),
)


def test_parse_metrics_accepts_specs_and_instances() -> None:
    assert parse_metrics(["faithfulness", ContextualRecall()]) == (Faithfulness(), ContextualRecall())
    assert parse_metrics("faithfulness") == (Faithfulness(),)
    with pytest.raises(BadOption, match=r"write Faithfulness\(\)"):
        parse_metrics([Faithfulness])  # type: ignore[list-item]


@for_each("name", PRESETS)
def test_every_preset_has_two_or_more_distinct_metrics(name: str) -> None:
    assert len(preset_metrics(name)) == len(set(preset_metrics(name))) >= 2


def test_unknown_preset_suggests_nearest_name() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'triad'"):
        preset_metrics("traid")


def test_metrics_without_needed_fields_are_refused_or_left_out() -> None:
    assert measurable_metrics([Faithfulness()], [], [BARE, FULL], "error").metrics == (Faithfulness(),)
    with pytest.raises(MissingField, match="any of the 1 test cases"):
        measurable_metrics([Faithfulness()], [], [BARE], "error")
    choice = measurable_metrics([], [Faithfulness()], [BARE], "error")
    assert choice.metrics == ()
    assert "Faithfulness is left out" in choice.notes[0]
    with pytest.raises(MissingField, match="test case 1"):
        measurable_metrics([Faithfulness()], [], [BARE, FULL], "raise")


def test_metrics_are_listed_in_one_text_and_keep_commas_of_their_own() -> None:
    listed = parse_metrics("recall, ndcg(k=3),pattern_match(pattern='a, [(]b')")
    assert [metric.spec for metric in listed] == ["recall", "ndcg(k=3)", "pattern_match(pattern='a, [(]b')"]
    with pytest.raises(UnknownName, match=r"no metric named 'mmr'\. Did you mean 'mrr'"):
        parse_metrics("recall,mmr")


def test_threshold_is_that_of_metrics_without_their_own() -> None:
    given = parse_metrics(["recall,mrr(threshold=0.3)", HitRate(threshold=0.2), NDCG()], 0.8)
    assert [metric.threshold for metric in given] == [0.8, 0.3, 0.2, 0.8]
