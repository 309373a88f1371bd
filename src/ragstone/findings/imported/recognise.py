"""Read a file that another tool wrote, recognised by its content; None for a file of an unknown tool."""

from pathlib import Path

from ragstone.datasets.results.content import FileContent
from ragstone.datasets.results.recognise import find_run
from ragstone.errors import BadDataset
from ragstone.findings.imported import tables
from ragstone.findings.imported.assemble import assemble
from ragstone.findings.report import Report


def read_other_tool(content: FileContent, path: Path) -> Report | None:
    """Return the report on a file that another tool wrote; None where it is no such file.

    Raises:
        BadDataset: the tool is known, but no test case or no score can be read from the file.
    """
    run = find_run(content.value)
    if run is None:
        if not tables.fits(content.value):
            return None
        run = tables.read(content.value)
    report = assemble(run, path, content.problems)
    if not report.cases or not report.run.plan.metrics:
        missing = "test case" if not report.cases else "score"
        why = f". {(*report.rejected, *run.notes)[0]}" if report.rejected or run.notes else ""
        raise BadDataset(f"{path} is a file of {run.tool}, but no {missing} can be read from it{why}")
    return report
