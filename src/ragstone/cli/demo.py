"""`ragstone demo`: an evaluation of the packaged dataset, then a table of its planted flaws."""

import sys
from typing import Annotated

from ragstone.cli._command import subcommand
from ragstone.cli._evaluation import STANDARD_OUTPUT, OutputOptions, evaluate_and_report
from ragstone.cli._options import JUDGE, Flags, Json, Quiet, Results, Verbose
from ragstone.cli._output import print_document
from ragstone.cli._planted_flaws import planted_flaws
from ragstone.cli._store import resolve_store
from ragstone.config import read_settings

DATASET = "demo"


@subcommand("demo")
def command(
    *,
    flags: Annotated[Flags, *JUDGE],
    outputs: Results = (),
    as_json: Json = False,
    no_store: bool = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Judge a packaged dataset with planted flaws, with the metrics of `ragstone run`, and show which were found.

    The default judge is embedded and needs neither a key nor a network. --judge selects another one.

    Options:
        no_store: Do not store the run.

    Exit codes:
      0  everything passed
      1  something missed its threshold, as expected of the planted flaws
      3  something could not be measured
    """
    showing = OutputOptions(outputs, quiet, verbose, as_json)
    store = False if no_store else resolve_store(read_settings({}).settings.store)
    outcome = evaluate_and_report(
        DATASET, showing, metrics=(), name="ragstone demo", judge=flags["judge"], store=store
    )
    if outcome.report is not None and not (quiet or as_json):
        file = sys.stderr if STANDARD_OUTPUT in outputs else sys.stdout
        print_document(planted_flaws(outcome.report), file)
    return outcome.code
