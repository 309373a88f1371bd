import pytest

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.metrics import CitationForm
from ragstone.metrics.citation_form import cited_numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It opened in 1902 [1]. Trams run [2][3].", [1, 2, 3]),
        ("So it is [1, 3; 5].", [1, 3, 5]),
        ("So it is [2-4] and [2\u20133].", [2, 3, 4, 2, 3]),
        ("Backwards [4-2].", [4, 2]),
        ("In [2024], or [note], or a[i].", []),
    ],
)
def test_markers_are_found(text: str, numbers: list[int]) -> None:
    assert cited_numbers(text) == numbers


def test_the_share_of_markers_that_exist() -> None:
    case = TestCase(input="?", actual_output="A [1]. B [2][7]. C [0].", retrieval_context=["a", "b"])
    result = CitationForm().measure(case)
    assert result.score == 0.5
    assert result.reason == "2 of 4 citation markers point at one of 2 passages. Out of range: [7], [0]."


def test_without_a_marker_there_is_nothing_to_measure() -> None:
    with pytest.raises(NotApplicable, match="no citation marker"):
        CitationForm().score([], 3)
