from tests.testing.for_each import for_each

from ragstone.metrics import Metric
from ragstone.metrics.base import documentation as page
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.plugins import load

CALLS = {
    "answer_relevancy": "two",
    "contextual_precision": "one",
    "exact_match": "none",
    "faithfulness": "two",
    "g_eval": "one, and one for the steps in each run",
    "semantic_answer_relevancy": "one and embeddings",
}


@for_each("name, calls", CALLS.items())
def test_judge_calls_at_the_defaults(name: str, calls: str) -> None:
    assert page.calls(load(BUILT_IN[name])) == calls


@for_each("name", BUILT_IN)
def test_every_metric_documents_its_question_and_options(name: str) -> None:
    metric: type[Metric] = load(BUILT_IN[name])
    assert page.asks(metric).endswith(("?", "."))
    assert len(page.asks(metric)) < 100
    assert page.needs(metric)
    assert all(option.meaning for option in page.options(metric)), list(page.options(metric))


@for_each("name", BUILT_IN)
def test_every_metric_documents_its_judge_calls_in_words(name: str) -> None:
    assert not page.calls(load(BUILT_IN[name])).isdigit()


def test_undocumented_judge_calls_are_counted_from_prompts() -> None:
    assert page.calls(Metric) == "0"


def test_documented_needs_follow_default_options() -> None:
    assert page.needs(load(BUILT_IN["context_utilization"])) == "input, actual_output, retrieval_context"
    assert page.needs(load(BUILT_IN["g_eval"])) == "input, actual_output"


def test_the_metrics_own_options_come_first() -> None:
    names = [option.name for option in page.options(load(BUILT_IN["faithfulness"]))]
    assert names.index("batch_size") < names.index("threshold")


def test_an_option_without_default_is_required() -> None:
    assert next(page.options(load(BUILT_IN["g_eval"]))).default == "required"


def test_direction_of_hallucination_is_lower() -> None:
    assert page.direction(load(BUILT_IN["hallucination"])) == "lower"
