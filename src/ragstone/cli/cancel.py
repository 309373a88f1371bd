"""`ragstone cancel`: give up the batches that a stopped run has with a vendor."""

import click

from ragstone.blocking import run_blocking
from ragstone.config import read_settings
from ragstone.runner.cancel import cancel
from ragstone.store import open_store


@click.command("cancel")
@click.argument("run")
@click.option(
    "--store",
    metavar="WHERE",
    help="Where the run is kept: a file, postgresql://user@host/database, or `default` for the file in the user's data "
    "folder.",
)
def command(run: str, store: str | None) -> int:
    """Cancel the vendor batches of RUN: an id, a name, or last.

    Requests that are already answered are charged, and `ragstone run … --resume RUN` uses their answers.

    \b
    Exit codes:
      0  cancelled, or there was nothing to cancel
      2  there is no such run, or no key
      3  the vendor did not cancel
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    location = store if store is not None else read_settings({}).settings.store
    run_store = open_store(True if location in (None, "default") else location)
    stored_run = run_store.find(run).run
    cancelled = run_blocking(cancel, run_store.batch_log(stored_run.id))
    for batch in cancelled:
        click.echo(
            f"{batch.batch}: cancelled, {batch.answered:,} of {batch.total:,} requests were already answered"
        )
    if not cancelled:
        click.echo(f"Run {stored_run.id} has no batches to cancel.")
    return 0
