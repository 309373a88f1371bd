"""`ragstone runs`: the list of stored runs."""

from datetime import datetime
from typing import Annotated

import click

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._options import Json, StoreName
from ragstone.cli._output import print_document, print_json
from ragstone.cli._store import open_existing_store
from ragstone.show.run_list import run_list, run_values
from ragstone.store import RunQuery

_DAY = click.DateTime(["%Y-%m-%d"])


@subcommand("runs")
def command(
    text: str = "",
    *,
    name: str = "",
    tag: str = "",
    judge: Annotated[str, OptionSpec(metavar="TEXT")] = "",
    metric: Annotated[str, OptionSpec(metavar="TEXT")] = "",
    dataset: Annotated[str, OptionSpec(metavar="TEXT")] = "",
    since: Annotated[datetime | None, OptionSpec(type=_DAY, metavar="DAY")] = None,
    until: Annotated[datetime | None, OptionSpec(type=_DAY, metavar="DAY")] = None,
    state: Annotated[
        str | None, OptionSpec(type=click.Choice(["running", "silent", "complete", "incomplete"]))
    ] = None,
    limit: Annotated[int, OptionSpec(type=click.IntRange(min=1), metavar="N")] = 20,
    offset: Annotated[int, OptionSpec(type=click.IntRange(min=0), metavar="N")] = 0,
    as_json: Json = False,
    store: StoreName = None,
) -> None:
    """List the stored runs, the latest first, with the figures of their metrics.

    TEXT is part of the id, name, dataset or judge.

    Options:
        name: Only runs with this name.
        tag: Only runs with this tag.
        judge: Only runs with TEXT in the judge's name.
        metric: Only runs with TEXT in a metric's name.
        dataset: Only runs with TEXT in the dataset's name.
        since: Only runs started on or after DAY, such as 2026-05-31 (UTC).
        until: Only runs started on or before DAY.
        state: Only runs in this state. A run is silent if it was killed while its state was 'running'.
        limit: At most N runs.
        offset: Skip the latest N runs.

    Examples:
      ragstone runs
      ragstone runs nightly --metric faithfulness --since 2026-05-01
      ragstone runs --state silent --json | jq -r '.[].id'
    """
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
        print_json([run_values(line) for line in page.lines])
        return
    print_document(run_list(page))
