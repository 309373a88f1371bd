"""`ragstone run`: an evaluation of a dataset, with a report."""

from collections.abc import Sequence
from typing import Any

import click

from ragstone.api import estimate as estimated
from ragstone.cli._documents import json_option, print_json
from ragstone.cli._evaluation import OutputOptions, evaluate_and_report
from ragstone.cli._exit_codes import print_message
from ragstone.cli._log import log_option
from ragstone.cli._options import (
    RUN_OPTIONS,
    configured,
    judge_option,
    map_option,
    metrics_option,
    output_option,
    run_options,
    verbosity_options,
)
from ragstone.cli._store import resolve_store
from ragstone.cli._traces import trace_dataset, trace_options
from ragstone.config import read_settings
from ragstone.event import Event, EventListener, RunStarted
from ragstone.judges.local.accuracy import everyday_accuracy
from ragstone.metrics import Metric, parse
from ragstone.show.render.json import plain


@click.command("run")
@click.argument("dataset")
@metrics_option
@click.option(
    "--preset",
    metavar="NAME",
    help="Group of metrics, or several, separated by commas: rag,ragas,triad,ragchecker. Metrics that need fields that "
    "the dataset lacks are left out. Default: rag, if no --metric is given.",
)
@judge_option
@run_options(*RUN_OPTIONS)
@map_option
@trace_options
@click.option(
    "--estimate", is_flag=True, help="Print the estimated calls, tokens and cost, and send nothing."
)
@output_option
@json_option
@verbosity_options
@log_option
def command(
    dataset: str,
    *,
    estimate: bool,
    outputs: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    verbose: bool,
    trace_format: str | None,
    unit: str | None,
    retrieval_tools: tuple[str, ...],
    columns: tuple[str, ...],
    **flags: Any,  # noqa: ANN401  (those of `run_options`)
) -> int:
    """Judge every answer in DATASET and report what was found.

    With --app, your application answers the questions first, and its answers are judged.

    DATASET is a file (JSONL, JSON, CSV, Parquet or traces, gzipped or not), - for standard input, or demo. A row that
    cannot be read is reported, and the other rows are evaluated.

    Options that are not given are read from RAGSTONE_… variables and from ragstone.toml: see `ragstone config`.

    \b
    Exit codes:
      0  everything passed
      1  something missed its threshold
      2  the command was wrong, or the server refused the key or the model; nothing was measured
      3  something could not be measured, or a row could not be read

    \b
    Examples:
      ragstone run answers.jsonl
      ragstone run answers.csv --judge openai:gpt-4o-mini --output report.html
      ragstone run answers.jsonl -m 'faithfulness(threshold=0.8)' --output - | jq .score
      ragstone run answers.jsonl --judge openai --max-cost 5 --tag nightly
      ragstone run answers.csv --map question=prompt,contexts=docs
      ragstone run questions.jsonl --app my_app:answer
      ragstone run questions.jsonl --app http://127.0.0.1:8000/ask --app-timeout 20
      ragstone run answers.jsonl --resume last
      ragstone run answers.jsonl --judge openai --engine ray
      ragstone run answers.jsonl --judge openai --batch
      ragstone run traces.otlp.jsonl --unit session
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    data = trace_dataset(dataset, trace_format, unit, retrieval_tools, columns)
    if estimate:
        expected = estimated(data, **configured(flags, keyless=True))
        if as_json:
            print_json(plain(expected))
        else:
            click.echo(expected)
        return 0
    asked = configured(flags)
    asked["store"] = resolve_store(asked["store"])
    if flags["resume"] is not None:
        asked |= _resumed_arguments(flags)
    elif not quiet and flags["judge"] is None and read_settings().sources["judge"] == "default":
        asked["listeners"] = _default_judge_warnings(asked["metrics"])
    return evaluate_and_report(data, OutputOptions(outputs, quiet, verbose, as_json), **asked).code


def _default_judge_warnings(metrics: Sequence[str | Metric]) -> tuple[EventListener, ...]:
    """Return a listener that prints, when the run starts, that no judge was chosen and how accurate the default is.

    There is no listener if the default judge is accurate enough or no metric asks it. A listener is used so that a
    command that cannot run prints only its error.
    """
    accuracy = everyday_accuracy()
    if accuracy.is_sufficient or (metrics and not any(map(_asks, metrics))):
        return ()

    def warn(event: Event) -> None:
        if isinstance(event, RunStarted):
            print_message(f"no judge was chosen. {accuracy.sentence()}")

    return (warn,)


def _asks(metric: str | Metric) -> bool:
    """Return whether a metric asks the judge anything."""
    return bool((parse(metric) if isinstance(metric, str) else metric).prompts)


def _resumed_arguments(flags: dict[str, Any]) -> dict[str, Any]:
    """Return overrides with which a resumed run keeps its original metrics and judge, except those that flags name."""
    unnamed: dict[str, Any] = {} if flags["metrics"] or flags["preset"] else {"metrics": (), "preset": None}
    return unnamed if flags["judge"] else {**unnamed, "judge": None}
