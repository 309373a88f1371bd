"""`ragstone run`: an evaluation of a dataset, with a report."""

from collections.abc import Sequence
from typing import Annotated, Any

import click

from ragstone.api import estimate as estimated
from ragstone.cli._arguments import configured, mapped_dataset
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._evaluation import OutputOptions, evaluate_and_report
from ragstone.cli._exit_codes import print_message
from ragstone.cli._options import LOG_FORMAT, Columns, Flags, Json, Quiet, Results, RunFlags, Verbose
from ragstone.cli._output import check_distinct, print_json
from ragstone.cli._store import resolve_store
from ragstone.config import read_settings
from ragstone.event import Event, EventListener, RunStarted
from ragstone.judges.local.accuracy import everyday_accuracy
from ragstone.metrics import Metric, parse
from ragstone.show.render.json import plain


@subcommand("run", LOG_FORMAT)
def command(
    dataset: str,
    *,
    flags: RunFlags,
    columns: Columns = (),
    unit: Annotated[str | None, OptionSpec(metavar="UNIT")] = None,
    retrieval_tools: Annotated[tuple[str, ...], OptionSpec("--retrieval-tool", metavar="NAME")] = (),
    trace_format: Annotated[str | None, OptionSpec(metavar="NAME")] = None,
    estimate: bool = False,
    outputs: Results = (),
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Judge every answer in DATASET and report what was found.

    With --app, your application answers the questions first, and its answers are judged.

    DATASET is a file (JSONL, JSON, CSV, Parquet or traces, gzipped or not), - for standard input, or demo. A row that
    cannot be read is reported, and the other rows are evaluated.

    Options that are not given are read from RAGSTONE_… variables and from ragstone.toml: see `ragstone config`.

    Options:
        unit: For traces: what becomes a test case: trace (the default), session, or span:NAME, every span of that name.
        retrieval_tools: For traces: a tool whose results are retrieved passages.
        trace_format: For traces: the format of the file: otlp, phoenix, langfuse, mlflow or langsmith. Default:
            detected from its content.
        estimate: Print the estimated calls, tokens and cost, and send nothing.

    Exit codes:
      0  everything passed
      1  something missed its threshold
      2  the command was wrong, or the server refused the key or the model; nothing was measured
      3  something could not be measured, or a row could not be read

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
    """
    check_distinct(outputs, dataset)
    data = mapped_dataset(dataset, columns)
    if not columns and (trace_format or unit or retrieval_tools):
        from ragstone.datasets import from_traces  # noqa: PLC0415  (only where traces are read)

        data = from_traces(
            dataset, unit=unit or "trace", retrieval_tools=retrieval_tools, format=trace_format
        )
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
    asked = (parse(metric) if isinstance(metric, str) else metric for metric in metrics)
    if accuracy.is_sufficient or (metrics and not any(metric.prompts for metric in asked)):
        return ()

    def warn(event: Event) -> None:
        if isinstance(event, RunStarted):
            print_message(f"no judge was chosen. {accuracy.sentence()}")

    return (warn,)


def _resumed_arguments(flags: Flags) -> dict[str, Any]:
    """Return overrides with which a resumed run keeps its original metrics and judge, except those that flags name."""
    unnamed: dict[str, Any] = {} if flags["metrics"] or flags["preset"] else {"metrics": (), "preset": None}
    return unnamed if flags["judge"] else {**unnamed, "judge": None}
