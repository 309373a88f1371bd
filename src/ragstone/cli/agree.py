"""`ragstone agree`: does the judge agree with people?"""

import sys
from contextlib import suppress

import click

from ragstone.audit import AskPrompt, agree
from ragstone.cli._options import cluster_option, judge_option
from ragstone.cli._outcome import silence_standard_output
from ragstone.cli._step_summary import summarise
from ragstone.cli._writing import check_outputs, documents_option, write_outputs
from ragstone.metrics import Metric
from ragstone.reports._sheet import console_on
from ragstone.reports.agreement import AgreementReport, markdown
from ragstone.reports.agreement import json as json_document
from ragstone.reports.agreement._agreement import WORST
from ragstone.reports.agreement._labels import LABEL
from ragstone.reports.agreement.terminal import show
from ragstone.reports.progress import progress

_FORMATS = {".json": json_document.write, ".md": markdown.write}


@click.command("agree")
@click.argument("dataset")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="What the labels speak of: a name or a spec. May be given several times. By default what fits the `task` that "
    "the rows name, otherwise the preset rag.",
)
@click.option(
    "--prompt",
    "prompts",
    multiple=True,
    metavar="NAME",
    help="Ask one prompt about the whole answer instead: judge_claims, judge_statements or judge_agreement.",
)
@judge_option
@click.option(
    "--label",
    default=LABEL,
    show_default=True,
    metavar="FIELD",
    help="Where the labels stand in a row: 1 or 0, yes or no, or a grade. Dots lead into a group: labels.overall.",
)
@cluster_option
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=WORST,
    show_default=True,
    metavar="N",
    help="Disagreements to show.",
)
@click.option(
    "--concurrency", type=click.IntRange(min=1), default=16, show_default=True, help="Calls in flight."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Read no more than the first N rows.")
@documents_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write files and exit.")
def command(  # noqa: PLR0917  (click passes them by name)
    dataset: str,
    metrics: tuple[str, ...],
    prompts: tuple[str, ...],
    judge_spec: str | None,
    label: str,
    cluster: str | None,
    worst: int,
    concurrency: int,
    limit: int | None,
    outputs: tuple[str, ...],
    quiet: bool,  # noqa: FBT001  (click passes it by name)
) -> int:
    """Hold a judge against what people said of the same answers.

    DATASET has labels on all rows or on some. Where several people labelled the same rows (`annotators`), the judge
    stands beside one person. Rows without a label are judged too: the labels correct the judge's mean over them. Two
    answers to one question (`text` and `text2`) are compared as a pair.

    \b
    Exit codes:
      0  the figures are there, whatever they say
      2  the command was wrong; nothing ran
      3  a labelled row could not be measured or read

    \b
    Examples:
      ragstone agree labelled.jsonl -m faithfulness --judge openai:gpt-4o-mini
      ragstone agree labelled.jsonl --prompt judge_claims --cluster document --output agreement.md
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    check_outputs(outputs, _FORMATS)
    wanted: list[str | Metric] = [*metrics, *(AskPrompt(prompt=name.replace("-", "_")) for name in prompts)]
    found = agree(
        dataset,
        wanted,
        judge=judge_spec,
        label=label,
        worst=worst,
        limit=limit,
        cluster=cluster,
        concurrency=concurrency,
        progress=False,
        listeners=[] if quiet else [progress(sys.stderr)],
    )
    if not quiet:
        _show(found)
        summarise(found, markdown.write)
    return write_outputs(found, outputs, _FORMATS, quiet=quiet) or found.exit_code


def _show(found: AgreementReport) -> None:
    with suppress(BrokenPipeError):
        show(found, console_on(sys.stdout))
        return
    silence_standard_output()
