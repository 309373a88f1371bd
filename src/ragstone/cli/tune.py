"""`ragstone tune`: tuning of a judge on human labels."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import click

from ragstone.audit import tune
from ragstone.cli._annotation_items import annotated_report
from ragstone.cli._arguments import judging_arguments
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import ExitCode
from ragstone.cli._options import Cluster, Json, Quiet, TuningFlags
from ragstone.cli._output import print_result, save
from ragstone.cli._store import open_existing_store
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.agreement.human_labels import LABEL
from ragstone.stats import ErrorCosts


@subcommand("tune")
def command(
    metric: str,
    *,
    labels: Annotated[str, OptionSpec(metavar="RUN", required=True)],
    label: Annotated[str, OptionSpec(metavar="FIELD")] = LABEL,
    cluster: Cluster = None,
    cost: Annotated[str | None, OptionSpec(metavar="fp=N,fn=N")] = None,
    folds: Annotated[int, OptionSpec(type=click.IntRange(min=2), metavar="K")] = 5,
    rules: Annotated[bool, OptionSpec("--rules/--no-rules")] = True,
    seed: Annotated[int, OptionSpec(metavar="N")] = 0,
    output: Annotated[str, OptionSpec("-o", "--output", metavar="FILE")] = "judge.toml",
    flags: TuningFlags,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Tune a judge for METRIC on human labels: its threshold, examples of decisions, or rules.

    Each candidate is tested by nested cross-validation, which never splits a group. The judge is adopted only if it is
    proven better on labels that it had not seen; --output is then a file for --judge. The embedded judge reads no
    examples: only its threshold is tuned. A language model makes up to 21 measurements per label; --cache stores its
    answers.

    Options:
        labels: A run in a store whose answers were annotated (`ragstone annotate`), or a file with labelled test cases.
        label: In a file: the field with the labels, 1 or 0, yes or no.
        cost: Costs of a false pass and of a false fail, such as fp=1,fn=5. By default Cohen's kappa decides.
        folds: Number of outer folds.
        rules: Let the judge's model write rules from people's notes.
        seed: Seed of the split into folds. Default: 0.
        output: File of the tuned judge; written only if the judge is adopted.
        quiet: Show nothing; write the file and exit.

    Exit codes:
      0  the judge was measured, whether or not it is adopted
      2  the command was wrong; nothing ran
      3  nothing could be measured

    Examples:
      ragstone tune faithfulness --labels nightly
      ragstone tune faithfulness --labels labelled.jsonl --judge openai:gpt-4o-mini --cluster document
      ragstone run cases.jsonl -m faithfulness --judge judge.toml
    """
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
    if result.tuning is not None:
        return save(target, result.tuning.to_toml(), "" if quiet else f"written: {target}")
    unmeasured = result.measurements and result.not_measured == result.measurements
    return ExitCode.NOT_MEASURED if unmeasured else 0


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
    labelled, cases, spec = annotated_report(open_existing_store(store), name, metric)
    if len(labelled.cases) != cases:
        raise BadOption(
            "That run has annotations of single claims, but tuning needs annotations of whole answers: "
            f"ragstone annotate {name} -m {metric} --annotator NAME"
        )
    return replace(labelled, results=[list(row) for row in labelled.results]), spec
