"""The command `ragstone`. Each subcommand is a module of its own, imported only when it is invoked."""

import gc
import os
import signal
import sys
from io import TextIOWrapper
from pathlib import Path

import click

from ragstone import __version__
from ragstone.cli._group import Commands
from ragstone.vendor_telemetry import disable_vendor_telemetry

COMMANDS = {
    "run": "Judge every answer of a dataset and report what was found.",
    "draft": "Draft a test set from documents.",
    "review": "Estimate the share of bad questions in a drafted test set.",
    "demo": "Judge a packaged dataset with planted flaws; no key, no network.",
    "serve": "Show runs on a web page, live.",
    "token": "Make, list and revoke tokens of machines for the page and the receiver.",
    "audit": "List who changed what in a store.",
    "watch": "Judge the traces that were received, and raise alarms.",
    "mcp": "Serve runs to coding agents (Model Context Protocol).",
    "skill": "Print instructions for coding agents.",
    "runs": "List the stored runs.",
    "show": "Show the report on a stored run, or one of its cases.",
    "export": "Write a stored run to files.",
    "push": "Send the scores of a run to the tool that holds its traces.",
    "delete": "Delete runs.",
    "annotate": "Annotate the answers of a run with yes or no, one key per case.",
    "baseline": "Name the run that other runs are compared with.",
    "explain": "Find the cause of each failure of a run.",
    "compare": "Compare two runs over the same cases.",
    "sweep": "Compare several settings of an application, and drop those that are worse.",
    "gate": "Judge a dataset and compare it with the baseline: for pull requests.",
    "agree": "Compare a judge with human labels.",
    "tune": "Tune a judge on human labels, and adopt it if it is proven better.",
    "judges": "List the judges that can be used here.",
    "exam": "Examine a judge on cases whose right verdicts are known.",
    "metrics": "List the metrics, or explain one.",
    "cancel": "Cancel the vendor batches of a stopped run.",
    "config": "Show each setting and where it comes from.",
    "new": "Create a metric of your own: its file, its test, its page.",
}
"""Subcommand → one-line description, in the order in which a new user needs them. The help imports no subcommand."""


_GC_THRESHOLD = 200_000
"""Allocations between two garbage collections; 700 by default. Imports make over 100,000 objects, none garbage."""


@click.group(cls=Commands, commands_by_use=COMMANDS)
@click.version_option(__version__, message="ragstone %(version)s")
def ragstone() -> None:
    """Find out whether RAG and LLM systems tell the truth.

    New here? `ragstone demo` judges a packaged dataset on this machine.
    """


def main() -> None:
    """Run the command.

    Standard output is UTF-8 if it is redirected, whatever the locale, since another command may read it. Characters
    that a terminal cannot show are written as escapes; no error is raised.
    """
    gc.set_threshold(_GC_THRESHOLD, 10, 50)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # looking for them reads every installed package
    disable_vendor_telemetry()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed, as with `>&-`
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  (open until the end)
        elif isinstance(stream, TextIOWrapper):
            redirected = name == "stdout" and not stream.isatty()
            stream.reconfigure(encoding="utf-8" if redirected else None, errors="backslashreplace")
    try:
        ragstone(prog_name="ragstone")
    finally:
        # Python's own end would print what Ctrl-C interrupts there.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
