"""`ragstone exam`: may the verdicts of a judge be acted on?"""

import sys

from ragstone.audit import exam
from ragstone.cli._arguments import judging_arguments
from ragstone.cli._command import subcommand
from ragstone.cli._exit_codes import ExitCode
from ragstone.cli._options import Documents, Json, JudgingFlags, Quiet
from ragstone.cli._output import check_outputs, print_result, write_outputs
from ragstone.cli._store import resolve_store
from ragstone.show.progress import progress


@subcommand("exam")
def command(
    *,
    biases: bool = False,
    flags: JudgingFlags,
    outputs: Documents = (),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Examine a judge on 144 packaged cases whose right verdicts are known.

    The cases are questions, passages and answers of 24 domains; half of the answers have one flaw. The judge reviews
    each case in one call. The store keeps the exam: later reports by this judge quote it in one line.

    With --biases: does it agree with itself, and do wording, length, order or position change its scores? These trials
    use the packaged demo.

    Options:
        biases: Also test it for bias and consistency: about 13 times the calls.
        quiet: Show nothing; write files and exit.

    Exit codes:
      0  the exam was made, whatever it shows
      2  the command was wrong; nothing ran
      3  nothing could be measured

    Examples:
      ragstone exam --judge openai:gpt-4o-mini
      ragstone exam --judge ollama:llama3.1 --limit 40 --output exam.md
    """
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
    code = ExitCode.NOT_MEASURED if found.answers.n == found.answers.not_measured else 0
    return write_outputs(found, outputs, quiet=quiet) or code
