"""Shared steps of `run` and `demo`: measure with progress, show the report, write the files, choose the exit code."""

import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from typing import Any, NamedTuple

import click

from ragstone.api import RunInterrupted, evaluate
from ragstone.cli._documents import print_document
from ragstone.cli._exit_codes import ExitCode, print_message, redirect_stdout_to_null
from ragstone.cli._log import is_json
from ragstone.cli._step_summary import append_step_summary
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.registry import check_output, write
from ragstone.result import Result
from ragstone.show.formats.jsonl import lines
from ragstone.telemetry import attach_default_logger, detach

STANDARD_OUTPUT = "-"
_NOT_FOUND = 404


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
        """Check, before anything is measured, that everything can be written.

        Raises:
            BadOption: a file cannot be written, or two outputs go to standard output.
        """
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
    """Measure, show the report and write the files. `asked` are the arguments of `evaluate`.

    Raises:
        UsageError: the arguments are invalid; nothing was measured.
    """
    showing.check()
    outcome = measure(data, quiet=showing.quiet, **asked)
    if outcome.report is None or outcome.code == ExitCode.WRONG_COMMAND:
        return outcome
    return EvaluationOutcome(outcome.report, _show_and_write(outcome.report, showing, outcome.code))


def measure(data: object, *, quiet: bool, **asked: Any) -> EvaluationOutcome:  # noqa: ANN401  (the arguments of `evaluate`)
    """Measure with progress, and print on standard error why a run stopped. `asked` are the arguments of `evaluate`.

    Raises:
        UsageError: the arguments are invalid; nothing was measured.
    """
    try:
        attached = _log_run() if is_json() else nullcontext()
        with attached:
            report = evaluate(data, progress=not (quiet or is_json()), **asked)
        code = report.exit_code
        if report.stopped:
            print_message(f"stopped: {report.stopped}")
            if _has_store(asked):
                print_message(f"to continue, run the same command with --resume {report.run.id}")
    except RunInterrupted as interruption:
        _explain_interruption(interruption, asked)
        report, code = interruption.report, ExitCode.INTERRUPTED
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


def render_report(found: Report, showing: OutputOptions, *, report: bool = True) -> int:
    """Show an existing report if `report` is true, and write the files; return the exit code.

    Raises:
        UsageError: a file cannot be written; no file was written.
    """
    showing.check()
    if report:
        return _show_and_write(found, showing, found.exit_code)
    return _write(found, showing, 0)


def _show_and_write(report: Report, showing: OutputOptions, code: int) -> int:
    if showing.as_json:
        click.echo(report.to_json(), nl=False)
    elif not showing.quiet:
        _show(report, showing)
    if showing.quiet:
        print_problems(report)
    else:
        append_step_summary(report)
    return _write(report, showing, code)


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


_MOST_PROBLEMS = 5


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


def _has_store(arguments: Mapping[str, Any]) -> bool:
    """Return whether the run is kept in a store, so that it can be resumed."""
    return bool(arguments.get("store") or arguments.get("resume"))


def _explain_interruption(interruption: RunInterrupted, arguments: Mapping[str, Any]) -> None:
    """Print how to continue the run, and which batches the vendor still holds."""
    if _has_store(arguments):
        print_message(f"to continue, run the same command with --resume {interruption.report.run.id}")
    print_message("stopped: the report contains the results so far.")
    if interruption.batches:
        names = ", ".join(interruption.batches)
        print_message(
            f"batches still at the vendor, which will be answered and charged: {names}. --resume reads the answers."
        )


def _show(report: Report, showing: OutputOptions) -> None:
    file = sys.stderr if STANDARD_OUTPUT in showing.outputs else sys.stdout
    print_document(report.document(**({"most": None} if showing.verbose else {})), file)


def _write(report: Report, showing: OutputOptions, code: int) -> int:
    """Write every output. If one fails, the others are still written."""
    for output in showing.outputs:
        try:
            if output == STANDARD_OUTPUT:
                _print_lines(report)
            else:
                write(report, output)
                if not showing.quiet:
                    print_message(f"written: {output}")
        except OSError as error:
            print_message(f"error: {output} could not be written: {error.strerror or error}")
            code = ExitCode.NOT_WRITTEN
    return code


def _print_lines(report: Report) -> None:
    try:
        for text in lines(report):
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        redirect_stdout_to_null()
