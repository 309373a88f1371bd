"""The grid of a sweep: every combination of the values of its settings."""

import tomllib
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import cast

from ragstone.applications import setting_text
from ragstone.errors import BadOption

Grid = Mapping[str, object] | str | Path
MOST_SETTINGS = 200
"""More settings can hardly be told apart: each pair lowers the level of all tests."""


def read_grid(grid: Grid) -> tuple[tuple[str, ...], ...]:
    """Return the settings of a grid: every combination of the values, each as `NAME=VALUE`.

    Raises:
        BadOption: the file cannot be read, or the grid has fewer than two settings, or more than 200.
    """
    values = _read_file(Path(grid)) if isinstance(grid, str | Path) else grid
    columns: list[list[str]] = []
    for name, found in values.items():
        several = cast("Sequence[object]", found) if isinstance(found, list | tuple) else (found,)
        column = [setting_text(name, value) for value in several]
        if not column or len({*column}) < len(column):
            raise BadOption(f"grid: {name} = {found!r}: give a list of different values")
        columns.append(column)
    settings = tuple(product(*columns))
    if not 1 < len(settings) <= MOST_SETTINGS:
        raise BadOption(
            f"the grid has {len(settings)} settings: give from 2 to {MOST_SETTINGS}, such as top_k = [2, 5, 10]"
        )
    return settings


def _read_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        raise BadOption(f"grid {path}: {problem}. Write a TOML file such as: top_k = [2, 5, 10]") from None
