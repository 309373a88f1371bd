"""Test cases for benchmarks: distinct short stories about a town, five passages each."""

from ragstone import TestCase

_TOPICS = (
    "tram depot",
    "harbour",
    "library",
    "waterworks",
    "theatre",
    "market hall",
    "observatory",
    "brickyard",
)


def cases(count: int) -> list[TestCase]:
    """Return `count` different test cases with every field that the six metrics need."""
    return [_case(number) for number in range(count)]


def _case(number: int) -> TestCase:
    topic = _TOPICS[number % len(_TOPICS)]
    year = 1800 + number % 200
    passages = tuple(
        f"Passage {place} on the {topic} number {number}. "
        f"It opened in {year + place} and employs {number + place} people. "
        f"A third of its rooms were rebuilt after the flood of {year + 20}; the roof was renewed {place} times since. "
        "Visitors may look around on weekdays, on Saturdays only with a guide, and never on the days of the fair."
        for place in range(1, 6)
    )
    return TestCase(
        input=f"When did the {topic} number {number} open, and who may visit it?",
        actual_output=f"It opened in {year + 1}. Visitors may look around on weekdays. On Saturdays they need a guide.",
        expected_output=f"The {topic} opened in {year + 1}; it may be visited on weekdays, on Saturdays with a guide.",
        retrieval_context=passages,
        id=str(number),
    )
