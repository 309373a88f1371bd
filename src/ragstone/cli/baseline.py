"""`ragstone baseline`: a name for the run that others are compared with."""

import click

from ragstone.cli._outcome import say
from ragstone.cli._stored import opened, store_option
from ragstone.errors import UsageError


@click.command("baseline")
@click.argument("name", required=False)
@click.argument("run", required=False)
@click.option("--remove", is_flag=True, help="Forget the baseline NAME; its run stays.")
@store_option
def command(name: str | None, run: str | None, remove: bool, store: str | None) -> None:  # noqa: FBT001
    r"""Let RUN be the baseline NAME; without RUN tell which run that is, without NAME list all.

    `ragstone compare --baseline NAME` holds the last run against it.

    \b
    Examples:
      ragstone baseline main last
      ragstone baseline
      ragstone baseline main --remove
    """
    kept = opened(store)
    if name is None:
        for found in kept.baselines.all():
            click.echo(f"{found.name}  {found.run}  since {found.since:%Y-%m-%d %H:%M}")
    elif remove:
        if not kept.baselines.remove(name):
            raise UsageError(f"There is no baseline {name!r} to remove.")
        say(f"removed: {name}")
    elif run is None:
        click.echo(kept.baselines.run(name))
    else:
        stored = kept.find(run)
        kept.baselines.put(name, stored.number)
        say(f"{name}: {stored.run.id}")
