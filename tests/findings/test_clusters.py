import pytest

from ragstone import TestCase, evaluate
from ragstone.errors import BadOption, UnknownName
from ragstone.findings.clusters import clusters

CASES = [
    TestCase(
        input=f"q{n}", actual_output="a" if n < 20 else "b", expected_output="a", metadata={"doc": n // 10}
    )
    for n in range(40)
]


def test_cases_of_one_group_widen_the_interval() -> None:
    alone, grouped = evaluate(CASES, "exact_match"), evaluate(CASES, "exact_match", cluster="doc")
    one, other = alone.summary()["ExactMatch"], grouped.summary()["ExactMatch"]
    assert (one.groups, other.groups) == (40, 4)
    assert other.interval.width > 2 * one.interval.width
    assert other.too_few
    assert alone.summary(cluster="doc")["ExactMatch"] == other
    assert grouped.run.plan.cluster == "doc"


def test_report_notes_the_clusters_of_its_intervals() -> None:
    markdown = evaluate(CASES, "exact_match", cluster="doc").to_markdown()
    assert "Intervals treat the cases of one doc as dependent: 40 cases in 4 groups." in markdown


def test_clusters_of_any_metadata_value() -> None:
    values = [["a", 1], ["a", 1], None, "x"]
    cases = [TestCase(input="q", metadata={} if value is None else {"k": value}) for value in values]
    assert clusters(cases, "k") == ['["a", 1]', '["a", 1]', None, "x"]
    assert clusters(cases, None) is None


def test_cluster_key_absent_from_all_cases_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"'dok'\. Did you mean 'doc'"):
        evaluate(CASES, "exact_match", cluster="dok")
    with pytest.raises(BadOption, match="no test case has metadata"):
        evaluate([TestCase(input="q", actual_output="a", expected_output="a")], "exact_match", cluster="doc")
