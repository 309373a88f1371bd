from dataclasses import replace

from tests.findings.sample import case, fixed_report, result

from ragstone.findings.view.failures import group_errors
from ragstone.findings.view.metric_names import metric_names


def test_errors_differing_only_in_numbers_are_one_group() -> None:
    report = fixed_report()
    (group,) = group_errors(report, metric_names(found for _, found in report.flat()))
    assert (group.kind, group.count, group.first, group.metrics) == ("TimedOut", 2, 5, (("Faithfulness", 2),))
    assert group.message == "not measured within 50 s"


def test_the_most_frequent_kind_comes_first() -> None:
    item = case(1)
    errors = ["ProviderError: 500", "TimedOut: late", "TimedOut: late", "MissingField: needs 'a'"]
    report = replace(
        fixed_report(), cases=[item], results=[[result(item, None, error=error) for error in errors]]
    )
    assert [group.count for group in group_errors(report, {})] == [2, 1, 1]
