"""Load a report from a file that `--output` or another tool wrote, or from a store.

A JSON report is restored as a whole. JSON lines hold only results: the test cases have ids but no texts, and the plan
of the run is derived from its results.
"""

import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from ragstone.case import TestCase, describe_invalid
from ragstone.datasets.results.content import HINT, read_content
from ragstone.datasets.results.rows import as_list, as_object
from ragstone.errors import BadDataset, UsageError
from ragstone.findings.imported.assemble import read_other_tool
from ragstone.findings.report import Report
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.result import TOLERANCE, Result
from ragstone.run import Plan, Run


def load_report(source: str | Path | Report, store: bool | str | Path | None = None) -> Report:  # noqa: FBT001  (as users write it)
    """Return the report that `source` names.

    Args:
        source: a `.json` or `.jsonl` file that `--output` wrote; a file of results of promptfoo, DeepEval, Ragas,
            Inspect, OpenAI Evals or MLflow (`ragstone.datasets.results`); the id or name of a run in a store, or
            `last`; or a report, which is returned as it is.
        store: the store; the file in the user's data folder where None.

    Raises:
        BadDataset: there is no such file, or it is not a report.
        UsageError: there is no such run.
    """
    if isinstance(source, Report):
        return source
    path = Path(source)
    if path.is_file():
        return _load_file(path)
    hint = "Name a report that was written with --output, as .json or .jsonl"
    if path.suffix.lower() in (".json", ".jsonl") or len(path.parts) != 1:
        raise BadDataset(f"There is no file {str(source)!r}. {hint}.")
    from ragstone.findings.stored import stored_report  # noqa: PLC0415  (a comparison of files needs no database)
    from ragstone.store import default_path  # noqa: PLC0415

    if store in (None, True, False) and not default_path().is_file():  # a lookup creates no store
        raise UsageError(
            f"There is no file {str(source)!r}, and no run with that name, because no run has been stored yet. "
            f"{hint}; `ragstone run` also stores runs, unless told not to."
        )
    return stored_report(str(source), None if store is False else store)


def _load_file(path: Path) -> Report:
    try:
        content = read_content(path)
    except OSError as error:
        raise BadDataset(f"{path} cannot be read: {error.strerror}. Name a readable file.") from None
    try:
        first = as_object(content.value) or as_object(next(iter(as_list(content.value)), None))
        if {"run", "cases"} <= first.keys():
            return _from_document(path, _StoredReport.model_validate(first))
        if "metric" in first and not content.is_table:
            lines = as_list(content.value) or [first]
            return _from_lines(path, list(map(Result.model_validate, lines)))
    except ValidationError as error:
        raise BadDataset(f"{path} is not a report: {describe_invalid(error)}. {HINT}") from None
    imported = read_other_tool(content, path)
    if imported is None:
        raise BadDataset(f"{path} is not a report: {_describe(content.value)}. {HINT}")
    return imported


def _describe(value: Any) -> str:  # noqa: ANN401  (what JSON holds)
    first = as_object(value) or as_object(next(iter(as_list(value)), None))
    if {"metric", "score", "case_id"} <= first.keys():
        return "a table that --output wrote, which lacks the run"
    if not first:
        return "it holds no rows"
    names = ", ".join(repr(name[:40]) for name in list(first)[:12])
    return f"none of its columns {names} is a metric, by name and with numbers, beside a question"


class _StoredCase(BaseModel):
    case: TestCase
    results: list[Result]


class _StoredReport(BaseModel):
    """The JSON report that `--output` writes. Fields that follow from these are not read."""

    run: Run
    cases: list[_StoredCase]
    rejected: list[str]
    complete: bool
    seconds: float


def _from_document(path: Path, document: _StoredReport) -> Report:
    run = document.run
    if run.plan.name is None:
        run = run.model_copy(update={"plan": run.plan.model_copy(update={"name": path.name})})
    return Report(
        run=run,
        cases=[row.case for row in document.cases],
        results=[[_checked(path, result) for result in row.results] for row in document.cases],
        rejected=document.rejected,
        complete=document.complete,
        seconds=document.seconds,
    )


def _from_lines(path: Path, lines: list[Result]) -> Report:
    """Return a report made from results only. Consecutive results of one case for different metrics belong together."""
    results: list[list[Result]] = []
    for line in lines:
        result = _checked(path, line)
        row = results[-1] if results else []
        if row and row[0].case_id == result.case_id and all(result.spec != other.spec for other in row):
            row.append(result)
        else:
            results.append([result])
    plan = Plan(
        metrics=tuple(dict.fromkeys(result.spec for result in lines)),
        judge=" and ".join(sorted({result.judge for result in lines})),
        name=path.name,
        repeats=max(len(as_list(result.metadata.get("repeats"))) or 1 for result in lines),
    )
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return Report(
        run=Run(id=path.name, plan=plan, started=written),
        cases=[TestCase(input="", id=row[0].case_id) for row in results],
        results=results,
    )


def _checked(path: Path, result: Result) -> Result:
    """Return a result whose numbers can be those of its metric; a file may have been edited.

    Raises:
        BadDataset: its score or threshold is not from 0 to 1, or its metric is better in the other direction.
    """
    problem = _problem(result)
    if problem:
        raise BadDataset(f"{path}, case {result.case_id!r}{problem}.")
    return result


def _problem(result: Result) -> str:
    for name in ("score", "low", "high", "threshold"):
        value: float | None = getattr(result, name)
        if value is not None and not -TOLERANCE <= value <= 1 + TOLERANCE:
            return f", {result.metric}: {name} {value} is not from 0 to 1"
    if result.label is not None and result.label not in result.categories:
        return f", {result.metric}: the label {result.label!r} is none of its categories"
    repeats: Any = result.metadata.get("repeats", [])
    if as_list(repeats) != repeats or not all(isinstance(item, dict) for item in as_list(repeats)):
        return f", {result.metric}: its repeats are not a list of objects"
    direction = _direction(result.spec)
    if direction is not None and direction != result.higher_is_better:
        return f": of {result.metric}, {'higher' if direction else 'lower'} is better, not as the file says"
    return ""


@cache
def _direction(spec: str) -> bool | None:
    """Return whether higher is better, of a built-in metric; None for any other, whose module is not imported."""
    if re.split(r"[(@]", spec)[0] not in BUILT_IN:
        return None
    from ragstone.metrics import parse  # noqa: PLC0415  (only for results of built-in metrics)

    try:
        return parse(spec).higher_is_better
    except UsageError:
        return None
