from tests.reports.sample import case, result

from ragstone.metrics._catalog import BUILT_IN
from ragstone.reports._words import _WORDS, words_of


def test_only_metrics_that_exist_have_words_of_their_own() -> None:
    assert set(_WORDS) <= set(BUILT_IN)


def test_words_are_found_by_the_spec() -> None:
    assert words_of(result(case(1), 1.0, spec="hallucination(threshold=0.2)")).evidence == "context"
