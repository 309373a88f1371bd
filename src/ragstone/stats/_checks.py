"""Checks of what callers give, without numpy."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def same_length(**named: "Sequence[Any] | NDArray[Any]") -> int:
    """Return the common length of the named sequences.

    Raises:
        ValueError: The lengths differ.
    """
    lengths = {name: len(values) for name, values in named.items()}
    if len(set(lengths.values())) > 1:
        listing = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"{listing}: give one entry per case in each, in the same order")
    return next(iter(lengths.values()))


def check_categories(labels: Iterable[Hashable], categories: Iterable[Hashable]) -> None:
    """Check labels.

    Raises:
        ValueError: A label is not a category.
    """
    unknown = set(labels) - set(categories)
    if unknown:
        raise ValueError(f"{sorted(map(str, unknown))} are not in categories; give all possible labels")
