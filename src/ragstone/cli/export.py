"""`ragstone export`: a stored run, as files."""

import click

from ragstone.cli._evaluation import OutputOptions, render_report
from ragstone.cli._exit_codes import ExitCode
from ragstone.cli._options import output_option
from ragstone.cli._store import open_existing_store, store_option
from ragstone.errors import BadOption
from ragstone.findings.stored import report_with_baseline


@click.command("export")
@click.argument("run", default="last")
@output_option
@store_option
@click.option("-q", "--quiet", is_flag=True, help="Do not report what was written.")
def command(run: str, outputs: tuple[str, ...], store: str | None, quiet: bool) -> int:  # noqa: FBT001
    """Write RUN to files: .html is one file that needs no server, .jsonl and .parquet are for programs.

    \b
    Exit codes:
      0  written
      2  the command was wrong
      74 a file could not be written

    \b
    Examples:
      ragstone export nightly --output report.html --output results.parquet
      ragstone export last --output - | jq .score
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    if not outputs:
        raise BadOption("The output file is missing: name one with --output, such as --output report.html")
    run_store = open_existing_store(store)
    code = render_report(
        report_with_baseline(run_store, run_store.find(run)),
        OutputOptions(outputs, quiet=quiet),
        report=False,
    )
    return code if code == ExitCode.NOT_WRITTEN else 0
