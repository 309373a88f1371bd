import pytest

from ragstone.judges.local.matching.weekdays import find_closed_day, restate_weekdays

OPEN = "The museum is open Tuesday to Sunday from 10 to 5."


@pytest.mark.parametrize(
    ("statement", "passage", "told"),
    [
        ("It is open on Wednesdays.", OPEN, "It is open on Tuesday to Sunday."),
        ("The museum is closed on Mondays.", OPEN, "The museum is open on Tuesday to Sunday."),
        ("Call us on Sunday.", "Call us Friday-Monday.", "Call us on Friday-Monday."),
        ("It is open on Mondays.", OPEN, "It is open on Mondays."),
        ("It is closed on Mondays.", f"{OPEN} On Mondays groups are let in.", "It is closed on Mondays."),
        ("It is open on Saturday and Sunday.", OPEN, "It is open on Saturday and Sunday."),
        ("It is closed on Mondays.", "Deliveries come Tuesday to Friday.", "It is closed on Mondays."),
    ],
)
def test_weekday_is_restated_as_the_range_in_the_passage(statement: str, passage: str, told: str) -> None:
    assert restate_weekdays(statement, [passage]) == told


@pytest.mark.parametrize(
    ("statement", "passage", "found"),
    [
        ("The museum is open on Mondays.", OPEN, ("Mondays", "Tuesday to Sunday")),
        ("The museum opens on Tuesdays.", OPEN, None),
        ("The museum is not open on Mondays.", OPEN, None),
        ("The museum is open on Mondays.", f"{OPEN} In July it opens on Mondays, too.", None),
        ("The museum is open on Mondays.", "It is closed Tuesday to Friday.", None),
    ],
)
def test_open_on_a_day_outside_opening_days_is_a_contradiction(
    statement: str, passage: str, found: tuple[str, str] | None
) -> None:
    assert find_closed_day(statement, [passage]) == found
