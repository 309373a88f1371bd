"""The figures of a column of numbers from which an interval is computed; few numbers are summed without numpy.

Importing numpy takes as long as summing a million numbers in Python, so the report on a short run does without.
"""

from collections.abc import Hashable, Iterable, Sequence
from math import fsum, isfinite, nan
from sys import float_info
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ragstone.stats._arrays import Numbers

_MIN_VALUES_FOR_NUMPY = 1000
_MIN_VALUES_FOR_VARIANCE = 2


class Sample(NamedTuple):
    """Figures of a column of finite numbers.

    Attributes:
        n: How many.
        mean: Their mean; NaN where there are none.
        variance: Their variance around the mean, divided by n - 1; NaN for fewer than two.
        least: The least; NaN where there are none.
        greatest: The greatest; NaN where there are none.
        two_valued: Whether every number is the least or the greatest.
    """

    n: int
    mean: float
    variance: float
    least: float
    greatest: float
    two_valued: bool

    @property
    def varied(self) -> bool:
        """Whether two of the numbers differ by enough that their variance does not underflow."""
        return (self.greatest - self.least) ** 2 > float_info.min


def describe(values: "Numbers", name: str = "values") -> Sample:
    """Return the figures of one flat sequence or array of numbers.

    Raises:
        ValueError: An entry is None, NaN or infinite, or `values` is not one-dimensional; `name` names it.
    """
    if len(values) < _MIN_VALUES_FOR_NUMPY and getattr(values, "ndim", 1) == 1:
        try:
            numbers = [float(value) for value in values]
        except (TypeError, ValueError):  # reported below
            numbers = [nan]
        if all(map(isfinite, numbers)):
            return _describe_in_python(numbers)
    return _describe_with_numpy(values, name)


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


def _describe_in_python(values: list[float]) -> Sample:
    n = len(values)
    if not n:
        return Sample(0, nan, nan, nan, nan, two_valued=True)
    least, greatest = min(values), max(values)
    mean = least if least == greatest else fsum(values) / n
    variance = (
        nan if n < _MIN_VALUES_FOR_VARIANCE else fsum((value - mean) ** 2 for value in values) / (n - 1)
    )
    two_valued = values.count(least) + values.count(greatest) >= n
    return Sample(n, mean, variance, least, greatest, two_valued)


def _describe_with_numpy(values: "Numbers", name: str) -> Sample:
    from ragstone.stats._arrays import finite  # noqa: PLC0415  (imports numpy)

    array = finite(values, name)
    least, greatest = float(array.min()), float(array.max())
    mean = least if least == greatest else float(array.mean())
    two_valued = bool(((array == least) | (array == greatest)).all())
    return Sample(array.size, mean, float(array.var(ddof=1)), least, greatest, two_valued)
