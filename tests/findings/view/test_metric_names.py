from tests.findings.sample import case, result

from ragstone.findings.view.metric_names import metric_name, metric_names

ITEM = case(1)


def names(*specs: str) -> list[str]:
    return list(metric_names(result(ITEM, 1.0, spec=spec) for spec in specs).values())


def test_a_metric_is_called_by_its_title() -> None:
    assert names("faithfulness(threshold=0.8)") == ["Faithfulness"]


def test_same_title_metrics_are_named_with_options() -> None:
    assert names("faithfulness(threshold=0.9)", "faithfulness(threshold=0.9, batch_size=5)") == [
        "Faithfulness",
        "Faithfulness(batch_size=5)",
    ]


def test_metrics_differing_in_threshold_are_named_with_it() -> None:
    assert names("faithfulness", "faithfulness(threshold=0.9)") == [
        "Faithfulness",
        "Faithfulness(threshold=0.9)",
    ]


def test_a_result_without_spec_keeps_its_name() -> None:
    assert metric_name(result(ITEM, 1.0, spec=""), {}) == "Faithfulness"
