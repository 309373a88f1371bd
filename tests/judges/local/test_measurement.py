"""Which parts of a statement the encoder reads, and which are decided by words alone."""

from collections.abc import Callable, Sequence

import pytest

from ragstone.judges.local import measurement
from ragstone.judges.local.model.encoder import Task, TextPair, read_pairs
from ragstone.judges.local.support import support

LIBRARY = (
    "The library closes at noon on Saturdays. Books can be returned at any time through the hatch at the door. "
    "A card costs 12 euros a year, and children under 14 pay nothing. Films are lent for three days, books for four "
    "weeks; both can be renewed twice unless somebody else has reserved them. The reading room on the second floor "
    "has forty seats and three computers. Bags have to be left in the lockers beside the stairs. "
    "The café in the courtyard is open from May to October. Tours of the old stacks start at ten on the first Sunday."
)
SHORT = "The library closes at noon on Saturdays."
UNRELATED = "Tungsten melts at a higher temperature than rhenium."
Reader = Callable[[Sequence[str], str], list[str]]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Judge statements by a passage, and return the texts that the encoder has read."""

    def judged(statements: Sequence[str], passage: str) -> list[str]:
        texts: list[str] = []

        def recorded(task: Task, pairs: Sequence[TextPair]) -> list[tuple[float, ...]]:
            texts.extend(pair.first for pair in pairs)
            return read_pairs(task, pairs)

        monkeypatch.setattr(measurement, "read_pairs", recorded)
        support(statements, [passage])
        return list(dict.fromkeys(texts))

    return judged


@pytest.mark.parametrize("passage", [LIBRARY, SHORT])
def test_statement_is_read_whatever_it_is_about(read: Reader, passage: str) -> None:
    assert read([UNRELATED], passage) == [UNRELATED]


def test_each_sentence_of_a_statement_is_read(read: Reader) -> None:
    assert read([f"{UNRELATED} A card costs 15 euros a year."], LIBRARY) == [
        UNRELATED,
        "A card costs 15 euros a year.",
    ]


def test_sentence_copied_from_the_evidence_is_not_read(read: Reader) -> None:
    assert read(["The library closes at noon on Saturdays."], LIBRARY) == []


def test_statement_about_something_else_is_not_mentioned() -> None:
    [found] = support([UNRELATED], [LIBRARY])
    assert (found.verdict, found.probability < 1 / 4) == ("idk", True)
    assert found.reason.startswith("not mentioned:")
