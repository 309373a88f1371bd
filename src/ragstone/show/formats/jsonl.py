"""JSON lines: one `Result` on each line, in input order, with all intermediate results in its metadata."""

import json
from collections.abc import Iterator
from typing import IO

from ragstone.findings.report import Report
from ragstone.result import Result


def lines(report: Report) -> Iterator[str]:
    """Yield each result as a line of JSON."""
    stored = getattr(report.results, "json_lines", lambda: None)()
    if stored is not None:
        yield from (f"{line}\n" for line in stored)
        return
    for results in report.results:
        for result in results:
            yield f"{as_json(result)}\n"


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    file.writelines(line.encode() for line in lines(report))


def as_json(result: Result) -> str:
    """Return a result as one line of JSON; a value that JSON cannot hold, such as a user's object, as its repr."""
    try:
        return result.model_dump_json(fallback=repr)
    except ValueError:  # a lone surrogate: UTF-8 cannot encode it, JSON can escape it
        return json.dumps(result.model_dump(), default=repr)
