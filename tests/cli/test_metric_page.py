import pytest

from ragstone.cli import _metric_page as page
from ragstone.metrics import Metric
from ragstone.metrics._catalog import BUILT_IN
from ragstone.plugins import load

CALLS = {
    "answer_relevancy": "2",
    "contextual_precision": "1",
    "contextual_recall": "1",
    "contextual_relevancy": "1",
    "exact_match": "0",
    "faithfulness": "3",
    "g_eval": "1 + 1 a run",
    "hallucination": "1",
    "semantic_answer_relevancy": "1",
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


def test_the_metrics_own_options_come_first() -> None:
    names = [option.name for option in page.options(load(BUILT_IN["faithfulness"]))]
    assert names.index("batch_size") < names.index("threshold")


def test_an_option_without_default_is_required() -> None:
    assert next(page.options(load(BUILT_IN["g_eval"]))).default == "required"


def test_lower_is_better_is_said() -> None:
    assert page.better(load(BUILT_IN["hallucination"])) == "lower"
