import pytest

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.metrics import CitationForm


def test_citation_form_is_the_share_of_markers_in_range() -> None:
    case = TestCase(input="?", actual_output="A [1]. B [2][7]. C [0].", retrieval_context=["a", "b"])
    result = CitationForm().measure(case)
    assert result.score == 0.5
    assert result.reason == "2 of 4 citation markers point at one of 2 passages. Out of range: [7], [0]."


def test_citation_form_without_markers_is_not_applicable() -> None:
    with pytest.raises(NotApplicable, match="no citation marker"):
        CitationForm().score([], 3)
