"""`ragstone agree`: agreement of a judge with human labels."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import click

from ragstone.audit import AskPrompt, agree, check_cascade
from ragstone.cli._annotation_items import annotated_report
from ragstone.cli._arguments import judging_arguments
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._options import Cluster, Documents, Json, JudgingFlags, Quiet
from ragstone.cli._output import check_outputs, print_result, write_outputs
from ragstone.cli._store import open_existing_store
from ragstone.errors import BadOption, UnknownName
from ragstone.findings import Report
from ragstone.findings.agreement import AgreementReport, agreement
from ragstone.findings.agreement.human_labels import LABEL
from ragstone.findings.agreement.model import WORST
from ragstone.findings.load import load_report
from ragstone.metrics import Metric
from ragstone.show.progress import progress


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


@subcommand("agree")
def command(
    dataset: str | None = None,
    *,
    run: Annotated[str | None, OptionSpec(metavar="RUN")] = None,
    metrics: Annotated[tuple[str, ...], OptionSpec("-m", "--metric", metavar="METRIC")] = (),
    prompts: Annotated[tuple[str, ...], OptionSpec("--prompt", metavar="NAME")] = (),
    label: Annotated[str, OptionSpec(metavar="FIELD")] = LABEL,
    cluster: Cluster = None,
    check: Annotated[float | None, OptionSpec(type=_Share(), metavar="SHARE")] = None,
    worst: Annotated[int, OptionSpec(type=click.IntRange(min=0), metavar="N")] = WORST,
    flags: JudgingFlags,
    outputs: Documents = (),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Compare a judge with human labels of the same answers.

    DATASET has labels on all rows or on some. If several people labelled the same rows (`annotators`), the report also
    shows how well one person agrees with the others. Rows without a label are judged too: the labels correct the
    judge's mean over them. Two answers to one question (`text` and `text2`) are compared as a pair.

    Options:
        run: Compare the results of a run with human labels; no judge is called. RUN is a stored run with annotations
            (`ragstone annotate`), or a file of results, also of another tool, with labels in its rows (--label).
        metrics: Metric that the labels are about: a name or a spec. May be given several times. Default: the metrics
            that fit the `task` named in the rows, otherwise the preset rag.
        prompts: Ask one prompt about the whole answer instead of a metric: judge_claims, judge_statements or
            judge_agreement.
        label: Field with the labels: 1 or 0, yes or no, or a grade. Dots select nested fields: labels.overall.
        check: Of judges in a row (--judge local,openai:gpt-4o-mini): measure this share of the cases, such as 5%, with
            the last judge alone too. Shows what each judge decides, where they differ, the corrected mean and the
            calls. Needs no labels.
        worst: Number of disagreements to show.
        quiet: Show nothing; write files and exit.

    Exit codes:
      0  the agreement was measured, whatever its value
      2  the command was wrong; nothing ran
      3  a labelled row could not be measured or read

    Examples:
      ragstone agree labelled.jsonl -m faithfulness --judge openai:gpt-4o-mini
      ragstone agree answers.jsonl -m faithfulness --judge local,openai:gpt-4o-mini --check 5%
      ragstone agree --run nightly -m faithfulness
      ragstone agree --run test_run.json -m Faithfulness --label human
      ragstone agree labelled.jsonl --prompt judge_claims --cluster document --output agreement.md
    """
    check_outputs(outputs, dataset, run)
    if run is not None:
        if dataset is not None or len(metrics) > 1 or prompts:
            raise BadOption(
                "--run cannot be combined with DATASET or --prompt, and takes at most one --metric"
            )
        metric = metrics[0] if metrics else ""
        if Path(run).is_file():
            report = _of_file(run, metric, label, worst)
        else:
            labelled, _, _ = annotated_report(open_existing_store(flags["store"]), run, metric)
            report = agreement(labelled, worst=worst)
    elif dataset is None:
        raise BadOption("Give a labelled DATASET, or an annotated run with --run")
    else:
        asked: list[str | Metric] = [
            *metrics,
            *(AskPrompt(prompt=name.replace("-", "_")) for name in prompts),
        ]
        listeners = [] if quiet else [progress(sys.stderr)]
        shared: dict[str, Any] = {
            "cluster": cluster,
            "progress": False,
            "listeners": listeners,
            **judging_arguments(flags),
        }
        report = (
            agree(dataset, asked, label=label, worst=worst, **shared)
            if check is None
            else check_cascade(dataset, asked, share=check, **shared)
        )
    print_result(report, as_json=as_json, quiet=quiet)
    return write_outputs(report, outputs, quiet=quiet) or report.exit_code


def _of_file(file: str, metric: str, label: str, worst: int) -> AgreementReport:
    """Return the agreement of the results in a file with the labels in the metadata of its test cases."""
    report = _with_labels(load_report(file), label)
    if metric:
        specs = report.run.plan.metrics
        if metric not in specs:
            raise UnknownName("metric in that file", metric, specs)
        rows = [[result for result in row if result.spec == metric] for row in report.results]
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
