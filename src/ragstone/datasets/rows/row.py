"""The output of readers: a raw row with its position, or a report on a bad one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row before conversion: names and values are still those of the tool that wrote it.

    Attributes:
        place: its position in the source, such as `line 7`.
        values: its fields.
    """

    place: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A report on a row that cannot be judged. The other rows are judged nevertheless.

    Attributes:
        source: the file or object that the rows were read from.
        place: position of the row in it, such as `line 7`.
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
    """An invalid value whose position is not known yet."""

    def __init__(self, problem: str, instead: str) -> None:
        """Store problem and remedy separately."""
        super().__init__(problem)
        self.problem = problem
        self.instead = instead
