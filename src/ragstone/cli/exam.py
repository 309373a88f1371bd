"""`ragstone exam`: may the verdicts of a judge be acted on?"""

import sys
from typing import Any

import click

from ragstone.audit import exam
from ragstone.cli._documents import check_outputs, documents_option, print_result, write_outputs
from ragstone.cli._exit_codes import ExitCode
from ragstone.cli._options import JUDGING_OPTIONS, judge_option, judging_arguments, run_options
from ragstone.cli._store import resolve_store
from ragstone.show.progress import progress


@click.command("exam")
@judge_option
@click.option(
    "--biases", is_flag=True, help="Also test it for bias and consistency: about 13 times the calls."
)
@run_options(*JUDGING_OPTIONS)
@documents_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write files and exit.")
def command(
    *,
    biases: bool,
    outputs: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **flags: Any,  # noqa: ANN401  (those of `run_options`)
) -> int:
    """Examine a judge on 144 packaged cases whose right verdicts are known.

    The cases are questions, passages and answers of 24 domains; half of the answers have one flaw. The judge reviews
    each case in one call. The store keeps the exam: later reports by this judge quote it in one line.

    With --biases: does it agree with itself, and do wording, length, order or position change its scores? These trials
    use the packaged demo.

    \b
    Exit codes:
      0  the exam was made, whatever it shows
      2  the command was wrong; nothing ran
      3  nothing could be measured

    \b
    Examples:
      ragstone exam --judge openai:gpt-4o-mini
      ragstone exam --judge ollama:llama3.1 --limit 40 --output exam.md
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    check_outputs(outputs)
    arguments = judging_arguments(flags)
    found = exam(
        biases=biases,
        progress=False,
        listeners=[] if quiet else [progress(sys.stderr)],
        store=resolve_store(arguments.pop("store")),
        **arguments,
    )
    print_result(found, as_json=as_json, quiet=quiet)
    code = write_outputs(found, outputs, quiet=quiet)
    measured = found.answers.n - found.answers.not_measured
    return code or (0 if measured else int(ExitCode.NOT_MEASURED))
