from tests.findings.sample import case, result
from tests.testing.for_each import for_each

from ragstone.findings.view.findings import _METRIC_LABELS, verdict_labels_for
from ragstone.metrics.base.catalog import BUILT_IN


def test_verdict_labels_are_of_built_in_metrics() -> None:
    assert set(_METRIC_LABELS) <= set(BUILT_IN)


def test_words_are_found_by_the_spec() -> None:
    assert verdict_labels_for(result(case(1), 1.0, spec="hallucination(threshold=0.2)")).evidence == "context"


@for_each(
    "spec, words",
    [
        ("faithfulness(threshold=0.9)", ("supported", "contradicted", "not mentioned")),
        ("contextual_precision", ("useful", "not useful", "not mentioned")),
        ("hallucination", ("agrees", "contradicts", "not mentioned")),
        ("bias", ("biased", "unbiased", "not mentioned")),
        ("role_adherence", ("in role", "out of role", "not mentioned")),
        ("aspect_critique(name='x', definition='y')", ("yes", "no", "not mentioned")),
        ("ragas_score", ("yes", "no", "not mentioned")),  # its prompts have different labels
        ("my_package:MyMetric", ("yes", "no", "not mentioned")),
    ],
)
def test_verdict_labels_match_the_prompt_labels(spec: str, words: tuple[str, ...]) -> None:
    assert verdict_labels_for(result(case(1), 1.0, spec=spec))[:3] == words
