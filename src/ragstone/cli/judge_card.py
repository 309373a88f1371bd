"""`ragstone judge-card`: tests of a judge for bias and consistency."""

import sys
from typing import Any

import click

from ragstone.audit import judge_card
from ragstone.audit.judge_trials import METRIC, REPEATS
from ragstone.cli._documents import check_outputs, documents_option, print_document, write_outputs
from ragstone.cli._exit_codes import ExitCode
from ragstone.cli._options import JUDGING_OPTIONS, judge_option, judging_arguments, run_options
from ragstone.show.progress import progress


@click.command("judge-card")
@click.argument("dataset", default="demo")
@judge_option
@click.option(
    "-m",
    "--metric",
    default=METRIC,
    show_default=True,
    metavar="METRIC",
    help="Metric that the judge is tested with.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=2),
    default=REPEATS,
    show_default=True,
    metavar="K",
    help="How often each question is repeated.",
)
@run_options(*JUDGING_OPTIONS)
@documents_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write files and exit.")
def command(
    dataset: str,
    *,
    metric: str,
    repeats: int,
    outputs: tuple[str, ...],
    quiet: bool,
    **flags: Any,  # noqa: ANN401  (those of `run_options`)
) -> int:
    """Test a judge: is it consistent, and do wording, length, order or position change its scores?

    DATASET is the packaged demo by default. None of the changes makes an answer better or worse, so none should change
    a score. Each case takes K + 3 measurements and two choices between answers.

    \b
    Exit codes:
      0  the card was made, whatever it shows
      2  the command was wrong; nothing ran
      3  nothing could be measured

    \b
    Example:
      ragstone judge-card --judge openai:gpt-4o-mini --output card.md
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    check_outputs(outputs)
    result = judge_card(
        dataset,
        metric=metric,
        repeats=repeats,
        progress=False,
        listeners=[] if quiet else [progress(sys.stderr)],
        **judging_arguments(flags),
    )
    if not quiet:
        print_document(result.document())
    code = write_outputs(result, outputs, quiet=quiet)
    return code or (0 if result.card.consistency else int(ExitCode.NOT_MEASURED))
