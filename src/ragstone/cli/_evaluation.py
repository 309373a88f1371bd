"""Shared steps of commands that measure: measure with progress, show the report, write the files."""

import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import click

from ragstone.api import RunInterrupted, evaluate
from ragstone.cli._exit_codes import ExitCode, print_message, redirect_stdout_to_null
from ragstone.cli._log import is_json
from ragstone.cli._output import append_step_summary, print_document, saved
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.registry import check_output, write
from ragstone.result import Result
from ragstone.show.formats.jsonl import lines
from ragstone.telemetry import attach_default_logger, detach

STANDARD_OUTPUT = "-"
_NOT_FOUND = 404
_MOST_PROBLEMS = 5


class OutputOptions(NamedTuple):
    """Options of the terminal output and of the output files.

    Attributes:
        outputs: output files, whose suffix selects the format; `-` for JSON lines on standard output.
        quiet: show neither progress nor report.
        verbose: show every case below a threshold.
        as_json: write the report as JSON to standard output, instead of showing it.
    """

    outputs: Sequence[str] = ()
    quiet: bool = False
    verbose: bool = False
    as_json: bool = False

    def check(self) -> None:
        """Check, before anything is measured, that everything can be written."""
        for output in self.outputs:
            if output != STANDARD_OUTPUT:
                check_output(output)
        if self.as_json and STANDARD_OUTPUT in self.outputs:
            raise BadOption("--json and --output - both write to standard output: give one of them")


class EvaluationOutcome(NamedTuple):
    """The report of an evaluation and its exit code. The report is None if Ctrl-C came before the run began."""

    report: Report | None
    code: int


def evaluate_and_report(data: object, showing: OutputOptions, **asked: Any) -> EvaluationOutcome:  # noqa: ANN401  (the arguments of `evaluate`)
    """Measure, show the report and write the files. `asked` are the arguments of `evaluate`."""
    showing.check()
    outcome = measure(data, quiet=showing.quiet, **asked)
    if outcome.report is None or outcome.code == ExitCode.WRONG_COMMAND:
        return outcome
    show_report(outcome.report, showing)
    return outcome._replace(code=write_report(outcome.report, showing) or outcome.code)


def measure(data: object, *, quiet: bool, **asked: Any) -> EvaluationOutcome:  # noqa: ANN401  (the arguments of `evaluate`)
    """Measure with progress, and print on standard error why a run stopped. `asked` are the arguments of `evaluate`."""
    try:
        with _log_run() if is_json() else nullcontext():
            report = evaluate(data, progress=not (quiet or is_json()), **asked)
        code = report.exit_code
        if report.stopped:
            print_message(f"stopped: {report.stopped}")
            _explain_resume(report, asked)
    except RunInterrupted as interruption:
        report, code = interruption.report, ExitCode.INTERRUPTED
        _explain_resume(report, asked)
        print_message("stopped: the report contains the results so far.")
        if interruption.batches:
            names = ", ".join(interruption.batches)
            print_message(
                f"batches still at the vendor, which will be answered and charged: {names}. --resume reads the answers."
            )
    except KeyboardInterrupt:
        print_message("stopped.")
        return EvaluationOutcome(None, ExitCode.INTERRUPTED)
    refusal = _common_refusal(report)
    if refusal is not None:
        print_message(f"error: {refusal}")
        return EvaluationOutcome(report, ExitCode.WRONG_COMMAND)
    return EvaluationOutcome(report, code)


@contextmanager
def _log_run() -> Generator[None]:
    """Log the start and the end of a run and each failed measurement, in place of a display of the progress."""
    subscription = attach_default_logger(events=("run.start", "run.stop", "metric.exception"))
    try:
        yield
    finally:
        detach(subscription)


def show_report(report: Report, showing: OutputOptions) -> None:
    """Show a report, and append it to the summary of a CI step; if `quiet`, only print its problems."""
    if showing.as_json:
        click.echo(report.to_json(), nl=False)
    elif not showing.quiet:
        file = sys.stderr if STANDARD_OUTPUT in showing.outputs else sys.stdout
        print_document(report.document(**({"most": None} if showing.verbose else {})), file)
    if showing.quiet:
        print_problems(report)
    else:
        append_step_summary(report)


def print_problems(report: Report) -> None:
    """Print what could not be read or measured, for commands whose report is not shown."""
    from ragstone.findings.view.failures import group_errors  # noqa: PLC0415  (only with `quiet`)

    errors = group_errors(report, {})
    messages = [f"not read: {row}" for row in report.rejected[:_MOST_PROBLEMS]]
    if len(report.rejected) > len(messages):
        messages.append(f"{len(report.rejected) - len(messages)} other rows could not be read")
    messages += [f"not measured ({group.count}): {group.message}" for group in errors[:_MOST_PROBLEMS]]
    for message in messages:
        print_message(f"error: {message}")


def write_report(report: Report, showing: OutputOptions) -> int:
    """Write every output; return 0, or `ExitCode.NOT_WRITTEN`. If one fails, the others are still written."""
    code = 0
    for output in showing.outputs:
        if output == STANDARD_OUTPUT:
            code = saved(partial(_print_lines, report), output) or code
        else:
            told = "" if showing.quiet else f"written: {output}"
            code = saved(partial(write, report, output), output, told) or code
    return code


def _print_lines(report: Report) -> None:
    try:
        for text in lines(report):
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        redirect_stdout_to_null()


def _common_refusal(report: Report) -> str | None:
    """Return the first refusal of the key or the model if every result that was not skipped has one, otherwise None."""
    if not {"passed", "missed"}.isdisjoint(report.statuses()):
        return None
    first: str | None = None
    for result in chain.from_iterable(report.results):
        if result.skipped:
            continue
        if not _is_refusal(result):
            return None
        first = first or result.error_message
    return first


def _is_refusal(result: Result) -> bool:
    """Return whether the server refused the key or does not know the model (404)."""
    return result.error_type == "AccessRefused" or (
        result.error_type == "ProviderError" and result.error_status == _NOT_FOUND
    )


def _explain_resume(report: Report, asked: Mapping[str, Any]) -> None:
    """Print how to continue the run, if it is kept in a store."""
    if asked.get("store") or asked.get("resume"):
        print_message(f"to continue, run the same command with --resume {report.run.id}")
