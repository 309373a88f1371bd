"""`ragstone push`: the scores of a stored run, sent to the tracing tool that holds its traces."""

import os
from functools import partial
from typing import Annotated

import click

from ragstone.blocking import run_blocking
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._options import Json, StoreName
from ragstone.cli._output import print_json
from ragstone.cli._store import open_existing_store
from ragstone.errors import BadDataset
from ragstone.findings.stored import report_from_store
from ragstone.push import DESTINATIONS, find_address, outgoing_scores, push_scores
from ragstone.show.render.json import plain


@subcommand("push")
def command(
    run: str = "last",
    *,
    destination: Annotated[str, OptionSpec("--to", required=True, type=click.Choice(DESTINATIONS))],
    endpoint: Annotated[str | None, OptionSpec(metavar="URL")] = None,
    as_json: Json = False,
    store: StoreName = None,
) -> int:
    """Send the scores of RUN to the traces that were evaluated.

    The run's dataset must be traces, or test cases with `traceparent` in their metadata. A score that is pushed again
    replaces the earlier one. A result that could not be measured is never sent as a score.

    Keys are read from the variables of the destination's own client: LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY,
    PHOENIX_API_KEY, MLFLOW_TRACKING_TOKEN, OTEL_EXPORTER_OTLP_HEADERS.

    Options:
        destination: Tool that receives the scores.
        endpoint: Address of the tool, such as http://localhost:6006. If not given, it is read from the variable of the
            tool's own client, such as PHOENIX_COLLECTOR_ENDPOINT. There is no default.

    Exit codes:
      0  every score was accepted
      2  the command was wrong, or no test case of the run belongs to a trace; nothing was sent
      74 a score was refused

    Examples:
      ragstone push last --to phoenix --endpoint http://localhost:6006
      ragstone push nightly --to otlp --endpoint http://localhost:4318
    """
    address = find_address(destination, endpoint, os.environ)
    run_store = open_existing_store(store)
    report = report_from_store(run_store, run_store.find(run))
    started = int(report.run.started.timestamp() * 1_000_000) * 1000
    scores = outgoing_scores(report.flat(), report.run.id, started)
    result = run_blocking(partial(push_scores, scores, address))
    if result.untraced and not (result.sent or result.unchanged or result.failed or result.left_out):
        raise BadDataset(
            f"No test case of run {report.run.id} belongs to a trace. Evaluate traces, or give metadata.traceparent."
        )
    if as_json:
        print_json({"run": report.run.id, "to": destination, **plain(result)})
    counts = {
        "already there": result.unchanged,
        "without a score": result.without_score,
        "not for this destination": result.left_out,
        "for test cases without a trace": result.untraced,
        "refused": result.failed,
    }
    rest = "".join(f"; {count} {meaning}" for meaning, count in counts.items() if count)
    print_message(f"pushed to {destination}: {result.sent}{rest}")
    if result.problem:
        print_message(f"error: {result.problem}")
    return ExitCode.NOT_WRITTEN if result.failed else 0
