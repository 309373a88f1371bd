"""`ragstone tune`: tuning of a judge on human labels."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ragstone.atomic import atomic_write
from ragstone.audit import tune
from ragstone.cli._annotation_items import find_spec
from ragstone.cli._documents import json_option, print_result
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._options import cluster_option, judge_option, judging_arguments, run_options
from ragstone.cli._store import open_existing_store
from ragstone.errors import BadOption, UnknownName
from ragstone.findings import Report
from ragstone.findings.agreement.annotations import with_annotations
from ragstone.findings.agreement.human_labels import LABEL
from ragstone.findings.stored import report_from_store
from ragstone.findings.tuning import TuningReport
from ragstone.options import Limits, Pace, Storage
from ragstone.stats import ErrorCosts
from ragstone.store import CaseQuery


@click.command("tune")
@click.argument("metric")
@click.option(
    "--labels",
    required=True,
    metavar="RUN",
    help="A run in a store whose answers were annotated (`ragstone annotate`), or a file with labelled test cases.",
)
@judge_option
@click.option(
    "--label",
    default=LABEL,
    show_default=True,
    metavar="FIELD",
    help="In a file: the field with the labels, 1 or 0, yes or no.",
)
@cluster_option
@click.option(
    "--cost",
    metavar="fp=N,fn=N",
    help="Costs of a false pass and of a false fail, such as fp=1,fn=5. By default Cohen's kappa decides.",
)
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    metavar="K",
    help="Number of outer folds.",
)
@click.option(
    "--rules/--no-rules", default=True, help="Let the judge's model write rules from people's notes."
)
@click.option("--seed", type=int, default=0, metavar="N", help="Seed of the split into folds. Default: 0.")
@click.option(
    "-o",
    "--output",
    default="judge.toml",
    show_default=True,
    metavar="FILE",
    help="File of the tuned judge; written only if the judge is adopted.",
)
@run_options(Pace, Limits, Storage)
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write the file and exit.")
def command(
    metric: str,
    *,
    labels: str,
    label: str,
    cluster: str | None,
    cost: str | None,
    folds: int,
    rules: bool,
    seed: int,
    output: str,
    as_json: bool,
    quiet: bool,
    **flags: Any,  # noqa: ANN401  (those of `run_options`)
) -> int:
    """Tune a judge for METRIC on human labels: its threshold, examples of decisions, or rules.

    Each candidate is tested by nested cross-validation, which never splits a group. The judge is adopted only if it is
    proven better on labels that it had not seen; --output is then a file for --judge. The embedded judge reads no
    examples: only its threshold is tuned. A language model makes up to 21 measurements per label; --cache stores its
    answers.

    \b
    Exit codes:
      0  the judge was measured, whether or not it is adopted
      2  the command was wrong; nothing ran
      3  nothing could be measured

    \b
    Examples:
      ragstone tune faithfulness --labels nightly
      ragstone tune faithfulness --labels labelled.jsonl --judge openai:gpt-4o-mini --cluster document
      ragstone run cases.jsonl -m faithfulness --judge judge.toml
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    target = _checked_output(output)
    costs = _costs(cost)
    run: Report | str = labels
    if not Path(labels).is_file():
        run, metric = _annotated(labels, flags["store"], metric)
        flags["judge"] = flags["judge"] or run.run.plan.judge
    arguments = {**judging_arguments(flags), "store": None}
    result = tune(
        metric,
        run,
        judge_spec=flags["judge"] or getattr(arguments["judge"], "name", None),
        label=LABEL if isinstance(run, Report) else label,
        cluster=cluster,
        costs=costs,
        folds=folds,
        rules=rules,
        seed=seed,
        **arguments,
    )
    print_result(result, as_json=as_json, quiet=quiet)
    return _write(result, target, quiet=quiet)


def _checked_output(output: str) -> Path:
    target = Path(output)
    if target.suffix != ".toml":
        raise BadOption(f"--output {output}: the name of a judge file must end with .toml")
    if target.is_dir() or not target.parent.is_dir():
        raise BadOption(f"--output {output}: write the path of a file in a folder that exists")
    return target


def _costs(text: str | None) -> ErrorCosts | None:
    """Return the error costs written as `fp=1,fn=5`; an error that is not named costs 1."""
    if text is None:
        return None
    costs: dict[str, float] = {}
    names = {"fp": "false_pass", "fn": "false_fail"}
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        try:
            costs[names[name]] = float(value)
        except (KeyError, ValueError):
            raise BadOption(f"--cost {text} is not valid: write two numbers, such as fp=1,fn=5") from None
    if not all(0.0 < value < float("inf") for value in costs.values()):
        raise BadOption(f"--cost {text}: write numbers above 0")
    return ErrorCosts(**costs)


def _annotated(name: str, store: str | None, metric: str) -> tuple[Report, str]:
    """Return the report of a stored run with human annotations as labels, and the spec of its metric."""
    run_store = open_existing_store(store)
    stored = run_store.find(name)
    spec = find_spec(stored, metric)
    if spec is None:
        raise UnknownName("metric in that run", metric, stored.run.plan.metrics)
    case_indexes = [line.case_index for line in run_store.table(stored).page(CaseQuery(limit=None)).lines]
    report = report_from_store(run_store, stored)
    labelled = with_annotations(report, run_store.annotations.of(stored.number), case_indexes, spec)
    if len(labelled.cases) != len(report.cases):
        raise BadOption(
            "That run has annotations of single claims, but tuning needs annotations of whole answers: "
            f"ragstone annotate {name} -m {metric} --annotator NAME"
        )
    return replace(labelled, results=[list(row) for row in labelled.results]), spec


def _write(result: TuningReport, target: Path, *, quiet: bool) -> int:
    if result.tuning is None:
        return (
            int(ExitCode.NOT_MEASURED)
            if result.measurements and result.not_measured == result.measurements
            else 0
        )
    try:
        with atomic_write(target) as file:
            file.write(result.tuning.to_toml().encode())
    except OSError as error:
        print_message(f"error: {target} could not be written: {error.strerror or error}")
        return int(ExitCode.NOT_WRITTEN)
    if not quiet:
        print_message(f"written: {target}")
    return 0
