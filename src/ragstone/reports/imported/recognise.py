"""Recognise the tool that wrote a file by its content; None for a file of an unknown tool."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragstone.errors import BadDataset
from ragstone.reports.imported import deepeval, inspect_ai, mlflow, openai_evals, promptfoo, tables
from ragstone.reports.imported.assemble import assemble
from ragstone.reports.imported.content import FileContent
from ragstone.reports.imported.rows import ImportedRun
from ragstone.reports.report import Report

Reader = tuple[Callable[[Any], bool], Callable[[Any], ImportedRun]]

_READERS: tuple[Reader, ...] = (
    (promptfoo.fits, promptfoo.read),
    (deepeval.fits, deepeval.read),
    (inspect_ai.fits, inspect_ai.read),
    (openai_evals.fits, openai_evals.read),
    (mlflow.fits, mlflow.read),
    (tables.fits, tables.read),
)
"""The readers in the order in which they are tried. The earlier ones are recognised by names that only they use."""


def read_other_tool(content: FileContent, path: Path) -> Report | None:
    """Return the report on a file that another tool wrote; None where it is no such file.

    Raises:
        BadDataset: the tool is known, but no test case or no score can be read from the file.
    """
    read = next((read for fits, read in _READERS if fits(content.value)), None)
    if read is None:
        return None
    run = read(content.value)
    report = assemble(run, path, content.problems)
    if not report.cases or not report.run.plan.metrics:
        missing = "test case" if not report.cases else "score"
        why = f". {(*report.rejected, *run.notes)[0]}" if report.rejected or run.notes else ""
        raise BadDataset(f"{path} is a file of {run.tool}, but no {missing} can be read from it{why}")
    return report
