from tests.testing.for_each import for_each

from ragstone.judges.local.matching.number_ranges import (
    NumberRanges,
    contains_exact_number,
    exclude_each_other,
    lies_in_range,
)
from ragstone.text.tokens import tokens


@for_each(
    "claim, other, expected",
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
        ("10 to 12", "11", True),
        ("between 10 and 12", "13", False),
        ("from 1914 through 1918", "1916", True),
        ("1914-1918", "1916", True),
        ("May 15 2014", "100", False),
    ],
)
def test_number_range_allows_numbers_within_it(claim: str, other: str, expected: bool) -> None:  # noqa: FBT001
    row, there = NumberRanges(tokens(claim)[0]), NumberRanges(tokens(other)[0])
    assert lies_in_range(there, len(there.tokens) - 1, row) is expected
    assert contains_exact_number(row, len(row.tokens) - 1, there) is expected


@for_each(
    "claim, other, expected",
    [
        ("75 minutes", "60 minutes late or more", False),
        ("75 minutes", "at least 60 minutes", False),
        ("75 minutes", "more than 60 minutes", False),
        ("45 minutes", "60 minutes or longer", True),
        ("4 degrees", "5 degrees or below", False),
        ("6 degrees", "5 degrees or below", True),
        ("48 people", "about 50 people", False),
        ("at least 6 weeks", "at least 10 weeks", True),
        ("at most 20 days", "at least 10 days", False),
        ("412 seats", "400 seats", True),
        ("no less than 5 days", "7 days", False),
        ("no less than 5 days", "3 days", True),
        ("3 tablets", "do not take more than 2 tablets", True),
        ("10:30 sharp", "11:00 sharp", True),
        ("11 years", "10-12 years", False),
        ("11 years", "between 10 and 12 years", False),
        ("13 years", "10 to 12 years", True),
        ("between 1916 and 1918", "between 1914 and 1918", True),
        ("12 and 14 people", "13 people", True),
        ("13 people", "12, 14 people", True),
    ],
)
def test_two_numbers_exclude_each_other_unless_one_allows_the_other(
    claim: str,
    other: str,
    expected: bool,  # noqa: FBT001
) -> None:
    row, there = NumberRanges(tokens(claim)[0]), NumberRanges(tokens(other)[0])
    i, place = (
        next(n for n, token in enumerate(tokened.tokens) if token.is_number) for tokened in (row, there)
    )
    assert exclude_each_other(row, i, there, place) is expected
