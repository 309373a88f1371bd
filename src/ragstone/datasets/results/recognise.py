"""Recognise the tool that wrote a file by its content."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ragstone.datasets.results import deepeval, inspect_ai, mlflow, openai_evals, promptfoo
from ragstone.datasets.results.content import read_content
from ragstone.datasets.results.rows import ImportedRun
from ragstone.datasets.rows.row import RawRow

Reader = tuple[Callable[[Any], bool], Callable[[Any], ImportedRun]]

_READERS: tuple[Reader, ...] = (
    (promptfoo.fits, promptfoo.read),
    (deepeval.fits, deepeval.read),
    (inspect_ai.fits, inspect_ai.read),
    (openai_evals.fits, openai_evals.read),
    (mlflow.fits, mlflow.read),
)
"""The readers in the order in which they are tried."""


def find_run(found: Any) -> ImportedRun | None:  # noqa: ANN401  (what a file holds)
    """Return the run in a file's content; None where no tool is known to write it."""
    read = next((read for fits, read in _READERS if fits(found)), None)
    return None if read is None else read(found)


def rows(path: Path) -> Iterator[RawRow] | None:
    """Return the rows of a file of results, which is read whole; None where it is none.

    Raises:
        BadDataset: it cannot be read.
    """
    run = find_run(read_content(path).value)
    return None if run is None else (RawRow(f"row {n}", row.values) for n, row in enumerate(run.rows, 1))
