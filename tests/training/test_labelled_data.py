import pytest
from tests.testing.for_each import for_each
from training.labelled_data import ALLOWED, FOLDER, TRAINED, group_of, support_rows

shared = pytest.mark.skipif(not FOLDER.exists(), reason=f"the labelled data is not at {FOLDER}")


def test_the_split_depends_on_the_context_alone() -> None:
    assert group_of("A  context.\n") == group_of("a context.")
    assert group_of("A context.") != group_of("Another context.")


@for_each("licence, allowed", [("MIT", True), ("Apache-2.0 (x)", True), ("CC-BY-NC-4.0", False), ("", False)])
def test_only_listed_licences_are_allowed(licence: str, allowed: bool) -> None:  # noqa: FBT001
    assert bool(ALLOWED.match(licence)) is allowed


@pytest.mark.shared
@shared
@pytest.mark.parametrize("name", TRAINED)
def test_each_training_set_has_about_a_quarter_test_rows(name: str) -> None:
    rows = support_rows(name)
    assert 0.1 < sum(row.test for row in rows) / len(rows) < 0.4
