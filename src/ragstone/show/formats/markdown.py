"""Markdown, fit for a pull request: the figures as a table, the worst cases as a list."""

from typing import IO

from ragstone.findings.report import Report


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    file.write(report.to_markdown().encode())
