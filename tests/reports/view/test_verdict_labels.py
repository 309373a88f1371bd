from tests.reports.sample import case, result

from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.reports.view.verdict_labels import _LABELS, verdict_labels_for


def test_only_metrics_that_exist_have_words_of_their_own() -> None:
    assert set(_LABELS) <= set(BUILT_IN)


def test_words_are_found_by_the_spec() -> None:
    assert verdict_labels_for(result(case(1), 1.0, spec="hallucination(threshold=0.2)")).evidence == "context"
