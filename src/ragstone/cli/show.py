"""`ragstone show`: the report on a stored run, or one of its test cases."""

from typing import Annotated

import click

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._evaluation import OutputOptions, show_report, write_report
from ragstone.cli._options import Json, Results, StoreName, Verbose
from ragstone.cli._output import print_document, print_json
from ragstone.cli._store import open_existing_store
from ragstone.errors import BadOption
from ragstone.findings.stored import report_with_baseline
from ragstone.show.case import case_page, case_values


@subcommand("show")
def command(
    run: str = "last",
    *,
    number: Annotated[int | None, OptionSpec("--case", type=click.IntRange(min=1), metavar="N")] = None,
    outputs: Results = (),
    as_json: Json = False,
    store: StoreName = None,
    verbose: Verbose = False,
) -> int:
    """Show the report on RUN: an id, the beginning of an id, a name, a baseline, or last.

    Exit codes are those of `ragstone run`; with --case, 0.

    Options:
        number: Show only test case N, with every verdict and every exchange with the judge.
        verbose: Show all failing cases; with --case, also the answers of the embedded judge.

    Examples:
      ragstone show
      ragstone show nightly --case 17
      ragstone show nightly --output report.html
    """
    run_store = open_existing_store(store)
    stored = run_store.find(run)
    if number is None:
        showing = OutputOptions(outputs, verbose=verbose, as_json=as_json)
        report = report_with_baseline(run_store, stored)
        showing.check()
        show_report(report, showing)
        return write_report(report, showing) or report.exit_code
    if outputs:
        raise BadOption(
            "--case shows one test case, and --output writes the whole run: give only one of them"
        )
    found = run_store.case(stored, number - 1)
    if as_json:
        print_json(case_values(stored.run.id, found))
    else:
        print_document(case_page(found, verbose=verbose))
    return 0
