"""`ragstone demo`: the main job on the packaged dataset, then flaw by flaw what was found."""

import sys

import click

from ragstone.cli._flaws import special_metrics
from ragstone.cli._judging import STANDARD_OUTPUT, Showing, judge
from ragstone.cli._ledger import show_ledger
from ragstone.cli._options import judge_option, loudness_options, output_option
from ragstone.datasets import load_dataset
from ragstone.reports.terminal import console_on

DATASET = "demo"


@click.command("demo")
@judge_option
@output_option
@loudness_options
def command(judge_spec: str | None, outputs: tuple[str, ...], quiet: bool, verbose: bool) -> int:
    """Judge a packaged dataset with planted flaws, and tell which were found.

    No key is needed and no network: the local judge is embedded. With --judge another one can show what it finds.

    \b
    Exit codes:
      0  everything passed
      1  something is on the wrong side of its threshold, as the planted flaws ought to be
      3  something could not be measured
    """
    data = load_dataset(DATASET)
    asked = {"metrics": special_metrics(iter(data)), "preset": "rag", "name": "ragstone demo", "judge": judge_spec}
    outcome = judge(DATASET, Showing(outputs, quiet, verbose), **asked)
    if outcome.report is not None and not quiet:
        file = sys.stderr if STANDARD_OUTPUT in outputs else sys.stdout
        show_ledger(outcome.report, console_on(file))
    return outcome.code
