"""`ragstone demo`: an evaluation of the packaged dataset, then a table of its planted flaws."""

import sys

import click

from ragstone.cli._documents import json_option, print_document
from ragstone.cli._evaluation import STANDARD_OUTPUT, OutputOptions, evaluate_and_report
from ragstone.cli._options import judge_option, output_option, verbosity_options
from ragstone.cli._planted_flaws_table import planted_flaws
from ragstone.cli._store import resolve_store
from ragstone.config import read_settings

DATASET = "demo"


@click.command("demo")
@judge_option
@output_option
@json_option
@click.option("--no-store", is_flag=True, help="Do not store the run.")
@verbosity_options
def command(  # noqa: PLR0917  (click passes them by name)
    judge: str | None,
    outputs: tuple[str, ...],
    as_json: bool,  # noqa: FBT001
    no_store: bool,  # noqa: FBT001
    quiet: bool,  # noqa: FBT001  (click passes it by name)
    verbose: bool,  # noqa: FBT001
) -> int:
    """Judge a packaged dataset with planted flaws, with the metrics of `ragstone run`, and show which were found.

    The default judge is embedded and needs neither a key nor a network. --judge selects another one.

    \b
    Exit codes:
      0  everything passed
      1  something missed its threshold, as expected of the planted flaws
      3  something could not be measured
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    showing = OutputOptions(outputs, quiet, verbose, as_json)
    store = False if no_store else resolve_store(read_settings({}).settings.store)
    outcome = evaluate_and_report(
        DATASET, showing, metrics=(), name="ragstone demo", judge=judge, store=store
    )
    if outcome.report is not None and not (quiet or as_json):
        file = sys.stderr if STANDARD_OUTPUT in outputs else sys.stdout
        print_document(planted_flaws(outcome.report), file)
    return outcome.code
