import pytest

from ragstone.judges.local._bounds import within
from ragstone.judges.local._text import tokens


@pytest.mark.parametrize(
    ("claim", "other", "expected"),
    [
        ("more than 400", "412", True),
        ("more than 400", "390", False),
        ("up to 20", "18", True),
        ("up to 20", "25", False),
        ("about 50", "48", True),
        ("about 50", "80", False),
        ("exactly 400", "412", False),
        ("400", "412", False),
        ("at least 65", "at least 75", False),
    ],
)
def test_a_number_bounds_what_it_says_it_bounds(claim: str, other: str, expected: bool) -> None:  # noqa: FBT001
    row, there = tokens(claim)[0], tokens(other)[0]
    assert within(row, len(row) - 1, there, len(there) - 1) is expected
