"""Ratings and yes or no, read out of what judges write."""

from benchmarks.replays.ratings import read_rating, read_yes
from tests.testing.for_each import for_each


@for_each(
    "text, rating",
    [
        ("D", 4.0),
        ("E. The summary covers it all.", 5.0),
        ("(B)", 2.0),
        ("Four stars. It leaves out two of the three players.", 4.0),
        ("1 star", 1.0),
        ("It tells the story of five men. Final score: 2.", 2.0),
        ("Good, but thin, resulting in a score of 3.5.", 3.5),
        ("It leaves out 12 details; 3 out of 5.", 3.0),
        ("It wrongly says that he won 4 of 6 games. 2.5/5", 2.5),
        ("Disjointed, therefore it scores a 1 for fluency.", 1.0),
        ("One slip at the end, so I would give it a 4.5 for fluency.", 4.5),
        ("Readable on the sentence level. 5", 5.0),
        ("He won in the 87th minute. 4.5.", 4.5),
        ("It leaves out the plea, therefore it is irrelevant (1).", 1.0),
        ("4", 4.0),
        ("The series ran for four seasons, the summary says three.", None),
        ("A summary of the match.", None),
        ("Score: 9", None),
        ("", None),
    ],
)
def test_read_rating(text: str, rating: float | None) -> None:
    assert read_rating(text) == rating


@for_each(
    "text, yes",
    [
        ("Yes, the candidate is correct.", True),
        ("no", False),
        ('"No", it is not.', False),
        ("The candidate is partially correct.", None),
        ("Notably, it is right.", None),
        ("", None),
    ],
)
def test_read_yes(text: str, yes: bool | None) -> None:  # noqa: FBT001 - the expected value
    assert read_yes(text) is yes
