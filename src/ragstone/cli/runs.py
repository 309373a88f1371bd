"""`ragstone runs`: the list of stored runs."""

import json
from datetime import datetime

import click

from ragstone.cli._documents import print_document
from ragstone.cli._store import open_existing_store, store_option
from ragstone.show.run_list import run_list, run_values
from ragstone.store import RunQuery

_DAY = click.DateTime(["%Y-%m-%d"])


@click.command("runs")
@click.argument("text", default="")
@click.option("--name", default="", help="Only runs with this name.")
@click.option("--tag", default="", help="Only runs with this tag.")
@click.option("--judge", default="", metavar="TEXT", help="Only runs with TEXT in the judge's name.")
@click.option("--metric", default="", metavar="TEXT", help="Only runs with TEXT in a metric's name.")
@click.option("--dataset", default="", metavar="TEXT", help="Only runs with TEXT in the dataset's name.")
@click.option(
    "--since", type=_DAY, metavar="DAY", help="Only runs started on or after DAY, such as 2026-05-31 (UTC)."
)
@click.option("--until", type=_DAY, metavar="DAY", help="Only runs started on or before DAY.")
@click.option(
    "--state",
    type=click.Choice(["running", "silent", "complete", "incomplete"]),
    help="Only runs in this state. A run is silent if it was killed while its state was 'running'.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="At most N runs."
)
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Skip the latest N runs.")
@click.option("--json", "as_json", is_flag=True, help="Write the runs as JSON to standard output.")
@store_option
def command(  # noqa: PLR0917  (click passes them by name)
    text: str,
    name: str,
    tag: str,
    judge: str,
    metric: str,
    dataset: str,
    since: datetime | None,
    until: datetime | None,
    state: str | None,
    limit: int,
    offset: int,
    as_json: bool,  # noqa: FBT001
    store: str | None,
) -> None:
    """List the stored runs, the latest first, with the figures of their metrics.

    TEXT is part of the id, name, dataset or judge.

    \b
    Examples:
      ragstone runs
      ragstone runs nightly --metric faithfulness --since 2026-05-01
      ragstone runs --state silent --json | jq -r '.[].id'
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    query = RunQuery(
        text=text,
        name=name,
        tag=tag,
        judge=judge,
        metric=metric,
        dataset=dataset,
        since=since.date() if since else None,
        until=until.date() if until else None,
        state=state or "",
        limit=limit,
        offset=offset,
    )
    page = open_existing_store(store).history(query)
    if as_json:
        click.echo(json.dumps([run_values(line) for line in page.lines], indent=2, ensure_ascii=False))
        return
    print_document(run_list(page))
