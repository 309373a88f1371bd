"""`ragstone export`: a stored run, as files."""

from ragstone.cli._command import subcommand
from ragstone.cli._evaluation import OutputOptions, write_report
from ragstone.cli._options import Quiet, Results, StoreName
from ragstone.cli._store import open_existing_store
from ragstone.errors import BadOption
from ragstone.findings.stored import report_with_baseline


@subcommand("export")
def command(
    run: str = "last", *, outputs: Results = (), store: StoreName = None, quiet: Quiet = False
) -> int:
    """Write RUN to files: .html is one file that needs no server, .jsonl and .parquet are for programs.

    Options:
        quiet: Do not report what was written.

    Exit codes:
      0  written
      2  the command was wrong
      74 a file could not be written

    Examples:
      ragstone export nightly --output report.html --output results.parquet
      ragstone export last --output - | jq .score
    """
    if not outputs:
        raise BadOption("The output file is missing: name one with --output, such as --output report.html")
    showing, run_store = OutputOptions(outputs, quiet=quiet), open_existing_store(store)
    report = report_with_baseline(run_store, run_store.find(run))
    showing.check()
    return write_report(report, showing)
