"""Numbers with units in the values of facts."""

import re
from functools import lru_cache
from typing import NamedTuple

_NUMBER = re.compile(
    r"(?P<before>[^\d]{0,12}?)(?P<number>\d{1,3}(?:[,.  ]\d{3})+|\d+(?:[.,]\d+)?)(?P<after>[^\d]{0,24})"
)


class Quantity(NamedTuple):
    """A number with its unit.

    Attributes:
        number: the number.
        unit: what stands around it.
        digits: the number as written.
    """

    number: float
    unit: str
    digits: str

    @property
    def has_unit(self) -> bool:
        """Whether a word or a sign of a unit stands beside the number."""
        return re.search(r"[^\W\d_]|[%€$£°]", self.unit) is not None


@lru_cache(maxsize=16384)
def quantity_of(value: str) -> Quantity | None:
    """Return the number that a value consists of, with its unit; None for any other value."""
    match = _NUMBER.fullmatch(value.strip().strip("."))
    if match is None:
        return None
    digits = match["number"]
    plain = re.sub(r"[,.  ](?=\d{3}(?:\D|$))", "", digits).replace(",", ".")
    return Quantity(float(plain), f"{match['before'].strip()}|{match['after'].strip().casefold()}", digits)
