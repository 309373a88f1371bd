"""`ragstone cancel`: give up the batches that a stopped run has with a vendor."""

import click

from ragstone.blocking import run_blocking
from ragstone.cli._command import subcommand
from ragstone.cli._options import StoreName
from ragstone.cli._store import locate_store
from ragstone.runner.cancel import cancel
from ragstone.store import open_store


@subcommand("cancel")
def command(run: str, *, store: StoreName = None) -> int:
    """Cancel the vendor batches of RUN: an id, a name, or last.

    Requests that are already answered are charged, and `ragstone run … --resume RUN` uses their answers.

    Exit codes:
      0  cancelled, or there was nothing to cancel
      2  there is no such run, or no key
      3  the vendor did not cancel
    """
    run_store = open_store(locate_store(store))
    stored_run = run_store.find(run).run
    cancelled = run_blocking(cancel, run_store.batch_log(stored_run.id))
    for batch in cancelled:
        click.echo(
            f"{batch.batch}: cancelled, {batch.answered:,} of {batch.total:,} requests were already answered"
        )
    if not cancelled:
        click.echo(f"Run {stored_run.id} has no batches to cancel.")
    return 0
