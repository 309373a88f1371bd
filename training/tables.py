"""A set of rows as arrays: features, labels, groups."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from training.paths import FEATURES


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The measured rows of one set.

    Attributes:
        name: name of the set.
        features: shape (rows, features).
        overlap: share of the claim's distinct content words that occur in the context, the baseline.
        labels: 1 for supported (or correct), else 0.
        groups: hash of each row's context.
        kinds: a finer name, "set.subset".
    """

    name: str
    features: NDArray[np.float64]
    labels: NDArray[np.int64]
    overlap: NDArray[np.float64]
    groups: NDArray[np.str_]
    kinds: NDArray[np.str_]

    @property
    def test(self) -> NDArray[np.bool_]:
        """Mask of the rows in the test split, which nobody inspects."""
        return np.array([int(group[:8], 16) % 4 == 0 for group in self.groups], bool)

    def where(self, kept: NDArray[np.bool_]) -> "Table":
        """Return the table with the selected rows."""
        return replace(
            self,
            **{field.name: getattr(self, field.name)[kept] for field in fields(self) if field.name != "name"},
        )

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the table as named arrays."""
        return {
            f"{self.name}|{field.name}": getattr(self, field.name)
            for field in fields(self)
            if field.name != "name"
        }


def join(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables as one."""
    columns = [field.name for field in fields(Table) if field.name != "name"]
    return Table(
        "joined", **{column: np.concatenate([getattr(t, column) for t in tables]) for column in columns}
    )


@cache
def load() -> dict[str, Table]:
    """Return all tables that `training.prepare` wrote."""
    with np.load(FEATURES) as archive:
        names = list(dict.fromkeys(key.split("|")[0] for key in archive))
        columns = [field.name for field in fields(Table) if field.name != "name"]
        return {
            name: Table(name, **{column: archive[f"{name}|{column}"] for column in columns}) for name in names
        }
