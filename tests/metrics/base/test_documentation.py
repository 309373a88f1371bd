import pytest

from ragstone.metrics import Metric
from ragstone.metrics.base import documentation as page
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.plugins import load

CALLS = {
    "answer_relevancy": "two",
    "contextual_precision": "one",
    "exact_match": "none",
    "faithfulness": "three, two of them at the same time",
    "g_eval": "one, and one for the steps in each run",
    "semantic_answer_relevancy": "one and embeddings",
}


@pytest.mark.parametrize(("name", "calls"), CALLS.items())
def test_judge_calls_at_the_defaults(name: str, calls: str) -> None:
    assert page.calls(load(BUILT_IN[name])) == calls


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_metric_says_in_a_sentence_what_it_asks_and_what_every_option_means(name: str) -> None:
    metric: type[Metric] = load(BUILT_IN[name])
    assert page.asks(metric).endswith(("?", "."))
    assert len(page.asks(metric)) < 100
    assert page.needs(metric)
    assert all(option.meaning for option in page.options(metric)), list(page.options(metric))


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_metric_says_how_often_it_asks(name: str) -> None:
    assert not page.calls(load(BUILT_IN[name])).isdigit()


def test_a_metric_that_does_not_say_how_often_it_asks_is_counted() -> None:
    assert page.calls(Metric) == "0"


def test_needs_are_those_of_the_defaults() -> None:
    assert page.needs(load(BUILT_IN["context_utilization"])) == "input, actual_output, retrieval_context"
    assert page.needs(load(BUILT_IN["g_eval"])) == "input, actual_output"


def test_the_metrics_own_options_come_first() -> None:
    names = [option.name for option in page.options(load(BUILT_IN["faithfulness"]))]
    assert names.index("batch_size") < names.index("threshold")


def test_an_option_without_default_is_required() -> None:
    assert next(page.options(load(BUILT_IN["g_eval"]))).default == "required"


def test_lower_is_better_is_said() -> None:
    assert page.direction(load(BUILT_IN["hallucination"])) == "lower"
