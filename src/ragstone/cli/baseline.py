"""`ragstone baseline`: a name for the run that others are compared with."""

import click

from ragstone.cli._command import subcommand
from ragstone.cli._exit_codes import print_message
from ragstone.cli._options import StoreName
from ragstone.cli._store import command_entry, open_existing_store
from ragstone.errors import UsageError


@subcommand("baseline")
def command(
    name: str | None = None, run: str | None = None, *, remove: bool = False, store: StoreName = None
) -> None:
    """Make RUN the baseline NAME. Without RUN, show the run of that baseline; without NAME, list all baselines.

    `ragstone compare --baseline NAME` compares the last run with it.

    Options:
        remove: Remove the baseline NAME; its run is kept.

    Examples:
      ragstone baseline main last
      ragstone baseline
      ragstone baseline main --remove
    """
    run_store = open_existing_store(store)
    if name is None:
        for entry in run_store.baselines.all():
            click.echo(f"{entry.name}  {entry.run}  since {entry.since:%Y-%m-%d %H:%M}")
    elif remove:
        if not run_store.baselines.remove(name):
            raise UsageError(f"There is no baseline {name!r} to remove.")
        run_store.audit_log.add(command_entry("baseline", "", f"removed {name}"))
        print_message(f"removed: {name}")
    elif run is None:
        click.echo(run_store.baselines.run(name))
    else:
        stored = run_store.find(run)
        run_store.baselines.put(name, stored.number)
        run_store.audit_log.add(command_entry("baseline", stored.run.id, name))
        print_message(f"{name}: {stored.run.id}")
