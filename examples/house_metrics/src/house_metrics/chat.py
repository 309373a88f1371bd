"""A report of a house's own: one line a metric, fit for a chat. `ragstone run … --output summary.chat` writes it."""

from typing import IO

from ragstone import Report


def write(report: Report, file: IO[bytes]) -> None:
    """Write the report."""
    for name, found in report.summary().items():
        mean = "not measured" if found.mean is None else f"{found.mean:.2f}"
        file.write(f"{name}: {mean} (n = {found.n}, not measured = {found.not_measured})\n".encode())
