"""`ragstone run`: from a dataset to judged answers."""

from typing import Any

import click

from ragstone.api import estimate as estimated
from ragstone.cli._configured import configured
from ragstone.cli._engine_options import engine_options
from ragstone.cli._evaluation import OutputOptions, evaluate_and_report
from ragstone.cli._options import (
    cluster_option,
    judge_option,
    output_option,
    repeats_option,
    verbosity_options,
)
from ragstone.cli._store import resolve_store
from ragstone.run import OnMissing


@click.command("run")
@click.argument("dataset")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="What to measure: a name or a spec such as 'faithfulness(threshold=0.8)'. May be given several times. "
    "`ragstone metrics` lists them.",
)
@click.option(
    "--preset",
    metavar="NAME",
    help="A group of metrics, or several with commas: rag,ragas,triad,ragchecker. Those the dataset cannot feed are "
    "left out. rag where no --metric is given.",
)
@judge_option
@click.option(
    "--concurrency", type=click.IntRange(min=1), help="Judge calls in flight. 16 unless configured."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="For one judge call. 60 unless configured.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Read no more than the first N rows.")
@click.option(
    "--on-missing",
    type=click.Choice(["error", "skip", "raise"]),
    help="What becomes of a metric on a case that lacks a field it needs: an error, a skip, or a stop before anything "
    "is asked. By default an error, and a skip for the metrics of a preset.",
)
@click.option("--name", help="What to call the run in its report.")
@engine_options
@repeats_option
@cluster_option
@output_option
@verbosity_options
def command(  # noqa: PLR0917  (click passes them by name)
    dataset: str,
    metrics: tuple[str, ...],
    preset: str | None,
    judge_spec: str | None,
    concurrency: int | None,
    timeout: float | None,
    limit: int | None,
    on_missing: OnMissing | None,
    name: str | None,
    rpm: float | None,
    tpm: float | None,
    max_cost: float | None,
    estimate: bool,  # noqa: FBT001
    cache: bool | None,  # noqa: FBT001
    offline: bool,  # noqa: FBT001
    store: str | None,
    no_store: bool,  # noqa: FBT001
    tags: tuple[str, ...],
    resume: str | None,
    retry_failed: bool,  # noqa: FBT001
    engine: str | None,
    ray_address: str | None,
    ray_workers: int | None,
    batch: bool | None,  # noqa: FBT001
    batch_interval: float | None,
    repeats: int,
    cluster: str | None,
    outputs: tuple[str, ...],
    quiet: bool,  # noqa: FBT001  (click passes it by name)
    verbose: bool,  # noqa: FBT001
) -> int:
    """Judge every answer in DATASET and report what was found.

    DATASET is a file (JSONL, JSON, CSV or Parquet, gzipped or not), - for standard input, or demo. A row that cannot be
    read is reported and the others run.

    What is not said here is read from RAGSTONE_… variables and from ragstone.toml: see `ragstone config`.

    \b
    Exit codes:
      0  everything passed
      1  something is on the wrong side of its threshold
      2  the command was wrong, or names a key or a model that the server refuses; nothing was measured
      3  something could not be measured, or a row could not be read

    \b
    Examples:
      ragstone run answers.jsonl
      ragstone run answers.csv --judge openai:gpt-4o-mini --output report.html
      ragstone run answers.jsonl -m 'faithfulness(threshold=0.8)' --output - | jq .score
      ragstone run answers.jsonl --judge openai --max-cost 5 --tag nightly
      ragstone run answers.jsonl --resume last
      ragstone run answers.jsonl --judge openai --engine ray
      ragstone run answers.jsonl --judge openai --batch
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    asked = configured(
        metrics=metrics,
        preset=preset,
        judge=judge_spec,
        concurrency=concurrency,
        timeout=timeout,
        on_missing=on_missing,
        rpm=rpm,
        tpm=tpm,
        max_cost=max_cost,
        store=False if no_store else True if store == "default" else store,
        offline=offline or estimate or None,  # an estimate needs no key
        engine=engine or ("ray" if ray_address or ray_workers else None),
        ray_address=ray_address,
        ray_workers=ray_workers,
        batch=batch,
        batch_interval=batch_interval,
    )
    asked["cache"] = cache is not False and (
        asked["cache"] or bool(cache or (asked["offline"] and not estimate))
    )
    if estimate:
        passed = ("metrics", "preset", "judge", "on_missing", "cache", "batch")
        click.echo(
            estimated(
                dataset, limit=limit, repeats=repeats, **{key: asked[key] for key in passed if key in asked}
            )
        )
        return 0
    asked["store"] = resolve_store(asked["store"])
    if batch is None and not asked["batch"]:
        asked["batch"] = None  # a resumed run goes on as it was begun
    if resume is not None:
        asked |= _resumed_arguments(metrics, preset, judge_spec)
    return evaluate_and_report(
        dataset,
        OutputOptions(outputs, quiet, verbose),
        **asked,
        limit=limit,
        name=name,
        tags=tags,
        resume=resume,
        retry_failed=retry_failed,
        repeats=repeats,
        cluster=cluster,
    ).code


def _resumed_arguments(
    metrics: tuple[str, ...], preset: str | None, judge_spec: str | None
) -> dict[str, Any]:
    """Return what a resumed run is asked: what is not said on the command line is as it was begun with."""
    unsaid: dict[str, Any] = {} if metrics or preset else {"metrics": (), "preset": None}
    return unsaid if judge_spec else {**unsaid, "judge": None}
