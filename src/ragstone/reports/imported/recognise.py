"""Recognise the tool that wrote a file by its content; None for a file of ragstone or of an unknown tool."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragstone.errors import BadDataset
from ragstone.reports.imported import deepeval, inspect_ai, mlflow, openai_evals, promptfoo, ragas
from ragstone.reports.imported.assemble import assemble
from ragstone.reports.imported.rows import ImportedRun, as_list, as_object
from ragstone.reports.report import Report

Reader = tuple[Callable[[Any], bool], Callable[[Any], ImportedRun]]

_READERS: tuple[Reader, ...] = (
    (promptfoo.fits, promptfoo.read),
    (deepeval.fits, deepeval.read),
    (inspect_ai.fits, inspect_ai.read),
    (openai_evals.fits, openai_evals.read),
    (mlflow.fits, mlflow.read),
    (ragas.fits, ragas.read),
)
"""The readers in the order in which they are tried. The earlier ones are recognised by names that only they use."""


def read_other_tool(path: Path) -> Report | None:
    """Return the report on a file that another tool wrote; None where it is no such file.

    Raises:
        BadDataset: the tool is known, but no test case or no score can be read from the file.
    """
    content = _content(path)
    if content is None or _is_ours(content):
        return None
    read = next((read for fits, read in _READERS if fits(content)), None)
    if read is None:
        return None
    run = read(content)
    report = assemble(run, path)
    if not report.cases or not report.run.plan.metrics:
        missing = "test case" if not report.cases else "score"
        raise BadDataset(f"{path} is a file of {run.tool}, but no {missing} can be read from it")
    return report


def _is_ours(content: Any) -> bool:  # noqa: ANN401
    """Return whether this is a report, or lines of results, that ragstone wrote."""
    first = as_object(content) or as_object(next(iter(as_list(content)), None))
    return {"run", "cases"} <= first.keys() or {"metric", "case_id"} <= first.keys()


def _content(path: Path) -> Any:  # noqa: ANN401  (what JSON holds)
    """Return the JSON value, the list of values of JSON lines, or the rows of a CSV file; None for anything else."""
    if path.suffix.lower() == ".eval":
        return _archive(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return None
    if path.suffix.lower() == ".csv":
        csv.field_size_limit(max(csv.field_size_limit(), 2**24))
        return list(csv.DictReader(io.StringIO(text)))
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return None


def _archive(path: Path) -> Any:  # noqa: ANN401
    """Return Inspect's log from its archive: the header, with the samples of their own files."""
    try:
        with zipfile.ZipFile(path) as file:
            header = json.loads(file.read("header.json"))
            names = sorted(name for name in file.namelist() if name.startswith("samples/"))
            return {**header, "samples": [json.loads(file.read(name)) for name in names]}
    except (zipfile.BadZipFile, NotImplementedError, KeyError, ValueError) as error:
        raise BadDataset(
            f"{path} cannot be unpacked ({type(error).__name__}: {error}): convert it to JSON: "
            "`inspect log convert FILE --to json --output-dir logs`"
        ) from None
