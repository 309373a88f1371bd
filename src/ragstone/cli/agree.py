"""`ragstone agree`: agreement of a judge with human labels."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from ragstone.audit import AskPrompt, agree, check_cascade
from ragstone.cli._annotation_items import find_spec
from ragstone.cli._documents import check_outputs, documents_option, print_result, write_outputs
from ragstone.cli._options import (
    JUDGING_OPTIONS,
    cluster_option,
    judge_option,
    judging_arguments,
    run_options,
)
from ragstone.cli._store import open_existing_store
from ragstone.errors import BadOption, UnknownName
from ragstone.findings import Report
from ragstone.findings.agreement import AgreementReport, agreement
from ragstone.findings.agreement.annotations import with_annotations
from ragstone.findings.agreement.cascade_check import CascadeCheck
from ragstone.findings.agreement.human_labels import LABEL
from ragstone.findings.agreement.model import WORST
from ragstone.findings.load import load_report
from ragstone.findings.stored import report_from_store
from ragstone.metrics import Metric
from ragstone.show.progress import progress
from ragstone.store import CaseQuery


class _Share(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  (not generic in older versions)
    """A share, as `5%`, `5 %` or `0.05`."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Return the share as a number from 0 to 1."""
        text = str(value).strip()
        try:
            return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            self.fail(f"{value!r} is no share: write 5% or 0.05", param, ctx)


@click.command("agree")
@click.argument("dataset", required=False)
@click.option(
    "--run",
    "run",
    metavar="RUN",
    help="Compare the results of a run with human labels; no judge is called. RUN is a stored run with annotations "
    "(`ragstone annotate`), or a file of results, also of another tool, with labels in its rows (--label).",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="Metric that the labels are about: a name or a spec. May be given several times. Default: the metrics "
    "that fit the `task` named in the rows, otherwise the preset rag.",
)
@click.option(
    "--prompt",
    "prompts",
    multiple=True,
    metavar="NAME",
    help="Ask one prompt about the whole answer instead of a metric: judge_claims, judge_statements or "
    "judge_agreement.",
)
@judge_option
@click.option(
    "--label",
    default=LABEL,
    show_default=True,
    metavar="FIELD",
    help="Field with the labels: 1 or 0, yes or no, or a grade. Dots select nested fields: labels.overall.",
)
@cluster_option
@click.option(
    "--check",
    type=_Share(),
    metavar="SHARE",
    help="Of judges in a row (--judge local,openai:gpt-4o-mini): measure this share of the cases, such as 5%, with "
    "the last judge alone too. Shows what each judge decides, where they differ, the corrected mean and the calls. "
    "Needs no labels.",
)
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=WORST,
    show_default=True,
    metavar="N",
    help="Number of disagreements to show.",
)
@run_options(*JUDGING_OPTIONS)
@documents_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write files and exit.")
def command(
    dataset: str | None,
    *,
    run: str | None,
    metrics: tuple[str, ...],
    prompts: tuple[str, ...],
    label: str,
    cluster: str | None,
    check: float | None,
    worst: int,
    outputs: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **flags: Any,  # noqa: ANN401  (those of `run_options`)
) -> int:
    """Compare a judge with human labels of the same answers.

    DATASET has labels on all rows or on some. If several people labelled the same rows (`annotators`), the report also
    shows how well one person agrees with the others. Rows without a label are judged too: the labels correct the
    judge's mean over them. Two answers to one question (`text` and `text2`) are compared as a pair.

    \b
    Exit codes:
      0  the agreement was measured, whatever its value
      2  the command was wrong; nothing ran
      3  a labelled row could not be measured or read

    \b
    Examples:
      ragstone agree labelled.jsonl -m faithfulness --judge openai:gpt-4o-mini
      ragstone agree answers.jsonl -m faithfulness --judge local,openai:gpt-4o-mini --check 5%
      ragstone agree --run nightly -m faithfulness
      ragstone agree --run test_run.json -m Faithfulness --label human
      ragstone agree labelled.jsonl --prompt judge_claims --cluster document --output agreement.md
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    check_outputs(outputs)
    finish = partial(_finish, outputs=outputs, as_json=as_json, quiet=quiet)
    if run is not None:
        if dataset is not None or len(metrics) > 1 or prompts:
            raise BadOption(
                "--run cannot be combined with DATASET or --prompt, and takes at most one --metric"
            )
        if Path(run).is_file():
            return finish(_of_file(run, metrics, label, worst))
        return finish(_of_run(run, flags["store"], metrics[0] if metrics else "", worst))
    if dataset is None:
        raise BadOption("Give a labelled DATASET, or an annotated run with --run")
    all_metrics: list[str | Metric] = [
        *metrics,
        *(AskPrompt(prompt=name.replace("-", "_")) for name in prompts),
    ]
    shared: dict[str, Any] = {
        "cluster": cluster,
        "progress": False,
        "listeners": [] if quiet else [progress(sys.stderr)],
        **judging_arguments(flags),
    }
    report = (
        agree(dataset, all_metrics, label=label, worst=worst, **shared)
        if check is None
        else check_cascade(dataset, all_metrics, share=check, **shared)
    )
    return finish(report)


def _of_file(file: str, metrics: tuple[str, ...], label: str, worst: int) -> AgreementReport:
    """Return the agreement of the results in a file with the labels in the metadata of its test cases."""
    report = _with_labels(load_report(file), label)
    if metrics:
        specs = report.run.plan.metrics
        if metrics[0] not in specs:
            raise UnknownName("metric in that file", metrics[0], specs)
        rows = [[result for result in row if result.spec == metrics[0]] for row in report.results]
        report = replace(report, results=rows)
    return agreement(report, label=label, worst=worst)


def _with_labels(report: Report, label: str) -> Report:
    """Return the report; if its labels are in a column that was read as a metric, with them in the metadata."""
    if label not in report.run.plan.metrics:
        return report
    scores = [{result.spec: result.score for result in row}.get(label) for row in report.results]
    cases = [
        case.model_copy(update={"metadata": {**case.metadata, label: score}})
        for case, score in zip(report.cases, scores, strict=True)
    ]
    others = [[result for result in row if result.spec != label] for row in report.results]
    return replace(report, cases=cases, results=others)


def _of_run(run: str, store: str | None, metric: str, worst: int) -> AgreementReport:
    """Return the agreement of a stored run with its human annotations."""
    run_store = open_existing_store(store)
    stored = run_store.find(run)
    spec = find_spec(stored, metric) if metric else ""
    if spec is None:
        raise UnknownName("metric in that run", metric, stored.run.plan.metrics)
    case_indexes = [line.case_index for line in run_store.table(stored).page(CaseQuery(limit=None)).lines]
    annotations = run_store.annotations.of(stored.number)
    return agreement(
        with_annotations(report_from_store(run_store, stored), annotations, case_indexes, spec), worst=worst
    )


def _finish(
    report: AgreementReport | CascadeCheck, *, outputs: tuple[str, ...], as_json: bool, quiet: bool
) -> int:
    print_result(report, as_json=as_json, quiet=quiet)
    return write_outputs(report, outputs, quiet=quiet) or report.exit_code
