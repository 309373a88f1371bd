"""`ragstone delete`: deletion of stored runs."""

from typing import Annotated

import click

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import print_message
from ragstone.cli._options import StoreName
from ragstone.cli._store import command_entry, open_existing_store


@subcommand("delete")
def command(
    runs: Annotated[tuple[str, ...], OptionSpec(required=True, metavar="RUN...")],
    *,
    yes: Annotated[bool, OptionSpec("-y", "--yes")] = False,
    store: StoreName = None,
) -> int:
    """Delete runs with their results, exchanges and annotations. They cannot be restored.

    RUN is the full id of a run, as `ragstone runs` shows it. Data shared with other runs is kept.

    Options:
        yes: Do not ask for confirmation.

    Examples:
      ragstone delete 20260531T071402-5f3a01
      ragstone delete 20260531T071402-5f3a01 20260530T180000-01cd02 --yes
    """
    run_store = open_existing_store(store)
    stored_runs = {stored.number: stored for stored in map(run_store.find_exact, runs)}
    for stored in stored_runs.values():
        line = run_store.line(stored)
        description = f"{line.id} ({line.name or line.dataset or 'no name'}, {line.progress.done:,} results)"
        if line.progress.state == "running":
            print_message(f"{description} is running: stop it first.")
            return 2
        if not yes and not click.confirm(f"Delete {description}?", err=True):
            print_message(f"kept: {line.id}")
            continue
        run_store.delete(stored, command_entry("delete", stored.run.id, line.name or line.dataset or ""))
        print_message(f"deleted: {line.id}")
    return 0
