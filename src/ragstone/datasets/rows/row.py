"""What a reader hands on: a row as it was found and where, or what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as it was found: names and values are still those of the tool that wrote it.

    Attributes:
        place: where it stands in its source, such as `line 7`.
        values: its fields.
    """

    place: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be judged. The rows around it are; this one is reported.

    Attributes:
        source: the file, or what the rows were taken from.
        place: where the row stands in it, such as `line 7`.
        problem: what is wrong, with the value.
        instead: what to write instead.
    """

    source: str
    place: str
    problem: str
    instead: str

    def __str__(self) -> str:
        """Return source, place, problem and remedy as one line."""
        return f"{self.source}, {self.place}: {self.problem} {self.instead}"


class RowError(Exception):
    """What is wrong with a value, before it is known where the value stands."""

    def __init__(self, problem: str, instead: str) -> None:
        """Keep the problem and its remedy apart."""
        super().__init__(problem)
        self.problem = problem
        self.instead = instead
