"""`ragstone export`: a run that is kept, as files."""

import click

from ragstone.cli._judging import Showing, deliver
from ragstone.cli._options import output_option
from ragstone.cli._outcome import Code
from ragstone.cli._stored import opened, store_option
from ragstone.errors import BadOption
from ragstone.reports._keeping import report_on


@click.command("export")
@click.argument("run", default="last")
@output_option
@store_option
@click.option("-q", "--quiet", is_flag=True, help="Do not tell what was written.")
def command(run: str, outputs: tuple[str, ...], store: str | None, quiet: bool) -> int:  # noqa: FBT001
    r"""Write RUN to files: .html is one file that needs no server, .jsonl and .parquet are for programs.

    \b
    Exit codes:
      0  written
      2  the command was wrong
      74 a file could not be written

    \b
    Examples:
      ragstone export nightly --output report.html --output results.parquet
      ragstone export last --output - | jq .score
    """
    if not outputs:
        raise BadOption("Nothing is to be written: name a file with --output, such as --output report.html")
    kept = opened(store)
    code = deliver(report_on(kept, kept.find(run)), Showing(outputs, quiet=quiet), report=False)
    return code if code == Code.NOT_WRITTEN else 0
