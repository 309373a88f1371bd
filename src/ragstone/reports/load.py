"""Load a report from a file that `--output` or another tool wrote, or from a store.

A JSON report is restored as a whole. JSON lines hold only results: the test cases have ids but no texts, and the plan
of the run is derived from its results.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from ragstone.case import TestCase, describe_invalid
from ragstone.errors import BadDataset, UsageError
from ragstone.reports.imported.recognise import read_other_tool
from ragstone.reports.report import Report
from ragstone.result import Result
from ragstone.run import Plan, Run


def load_report(source: str | Path | Report, store: bool | str | Path | None = None) -> Report:  # noqa: FBT001  (as users write it)
    """Return the report that `source` names.

    Args:
        source: a `.json` or `.jsonl` file that `--output` wrote; a file of results of promptfoo, DeepEval, Ragas,
            Inspect, OpenAI Evals or MLflow (`ragstone.reports.imported`); the id or name of a run in a store, or
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
    if path.suffix.lower() in (".json", ".jsonl") or len(path.parts) != 1:
        raise BadDataset(
            f"There is no file {str(source)!r}. Name a report that was written with --output, as .json or .jsonl."
        )
    return _load_from_store(str(source), store)


def _load_from_store(run: str, store: bool | str | Path | None) -> Report:  # noqa: FBT001  (as users write it)
    """Return a run from the store. The lookup does not create a store that does not exist."""
    from ragstone.reports.stored import stored_report  # noqa: PLC0415  (a comparison of files needs no database)
    from ragstone.store import default_path  # noqa: PLC0415

    if store in (None, True, False) and not default_path().is_file():
        raise UsageError(
            f"There is no file {run!r}, and no run with that name, because no run has been stored yet. "
            "Name a report that was written with --output, as .json or .jsonl; `ragstone run` also stores runs, unless "
            "told not to."
        )
    return stored_report(run, None if store is False else store)


def _load_file(path: Path) -> Report:
    imported = read_other_tool(path)
    if imported is not None:
        return imported
    try:
        text = path.read_text(encoding="utf-8")
        first_line, _, rest = text.lstrip().partition("\n")
        first = _parse_object(first_line)
        if first is not None and "metric" in first:
            return _from_lines(
                path, [first, *(json.loads(line) for line in rest.splitlines() if line.strip())]
            )
        return _from_document(path, json.loads(text))
    except ValidationError as error:
        raise BadDataset(f"{path} is not a report: {describe_invalid(error)}. {_HINT}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadDataset(f"{path} is not a report ({type(error).__name__}: {error}). {_HINT}") from None
    except OSError as error:
        raise BadDataset(f"{path} cannot be read: {error.strerror}. Name a readable file.") from None


_HINT = "Name a file that --output wrote, as .json or .jsonl, or results of another tool."


def _parse_object(line: str) -> dict[str, Any] | None:
    """Return the JSON object on a line, or None if the line holds none, as in a document of many lines."""
    try:
        value: object = json.loads(line)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _from_document(path: Path, document: dict[str, Any]) -> Report:
    run = Run.model_validate(document["run"])
    if run.plan.name is None:
        run = run.model_copy(update={"plan": run.plan.model_copy(update={"name": path.name})})
    rows = cast("list[dict[str, Any]]", document["cases"])
    return Report(
        run=run,
        cases=[TestCase.model_validate(row["case"]) for row in rows],
        results=[[Result.model_validate(result) for result in row["results"]] for row in rows],
        rejected=document["rejected"],
        complete=document["complete"],
        seconds=document["seconds"],
    )


def _from_lines(path: Path, lines: list[Any]) -> Report:
    """Return a report made from results only. Consecutive results of one case for different metrics belong together."""
    results: list[list[Result]] = []
    for result in map(Result.model_validate, lines):
        row = results[-1] if results else []
        same_case = row and row[0].case_id == result.case_id and _spec(result) not in map(_spec, row)
        if same_case:
            row.append(result)
        else:
            results.append([result])
    flat = [result for row in results for result in row]
    plan = Plan(
        metrics=tuple(dict.fromkeys(map(_spec, flat))),
        judge=" and ".join(sorted({result.judge for result in flat})),
        name=path.name,
        repeats=max(len(result.metadata.get("repeats", ())) or 1 for result in flat),
    )
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return Report(
        run=Run(id=path.name, plan=plan, started=written),
        cases=[TestCase(input="", id=row[0].case_id) for row in results],
        results=results,
    )


def _spec(result: Result) -> str:
    return result.spec or result.metric
