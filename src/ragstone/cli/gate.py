"""`ragstone gate`: comparison of a dataset's results with the baseline, for pull requests."""

from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Annotated

import click

from ragstone.case import TestCase
from ragstone.cli._arguments import configured, mapped_dataset
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._evaluation import EvaluationOutcome, measure, print_problems
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._gate_baseline import MAIN_BRANCH, MissingBaselineError, baseline_path, find_baseline
from ragstone.cli._gate_recheck import recheck
from ragstone.cli._options import Columns, Documents, Json, Margin, Quiet, RunFlags, Verbose
from ragstone.cli._output import check_outputs, print_result, saved, write_outputs
from ragstone.cli._store import resolve_store
from ragstone.datasets import read_dataset
from ragstone.errors import BadOption, StoreError
from ragstone.findings import Report
from ragstone.findings.gate import GateBaseline, decide
from ragstone.findings.gate.baseline_file import BaselineFile, write_baseline
from ragstone.findings.gate.decision import (
    MAX_AGE,
    MAX_UNMEASURED,
    compare_with_baseline,
    unmeasured_results,
)
from ragstone.findings.load import load_report
from ragstone.options import ApplicationCalls
from ragstone.show.comparison import MOST_FLIPS


@subcommand("gate")
def command(
    dataset: str,
    *,
    baseline: Annotated[str | None, OptionSpec(metavar="FILE")] = None,
    against: Annotated[str | None, OptionSpec(metavar="REVISION")] = None,
    measured_already: Annotated[bool, OptionSpec("--results")] = False,
    update: bool = False,
    critical_repeats: Annotated[int, OptionSpec(type=click.IntRange(min=0))] = 3,
    max_unmeasured: Annotated[
        float, OptionSpec(type=click.FloatRange(min=0, max=1), metavar="SHARE")
    ] = MAX_UNMEASURED,
    max_age: Annotated[int, OptionSpec(type=click.IntRange(min=0), metavar="DAYS")] = MAX_AGE.days,
    margin: Margin = None,
    flags: RunFlags,
    outputs: Documents = (),
    as_json: Json = False,
    columns: Columns = (),
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Judge DATASET and compare it with the baseline of the main branch.

    Red: a metric got significantly worse, unless --margin allows it; or a case tagged critical that passed in the
    baseline has no score any more, or fails in most of the new answers of --app; or too many results, or all, were not
    measured. Yellow: an old baseline, another test set, another judge, a pass rate that fell alone; a critical case
    that broke in its one answer, until --app gives new answers, or a metric that is not shown to be within --margin:
    these two end with 3.

    --app names your application. If no test case of DATASET has an answer, it answers all questions. Otherwise it
    answers the critical cases that broke anew: without it the same answers are judged again, which does not turn the
    gate red, since the next answer may be good.

    The name of the gate is --name, else the name of the dataset's file. The baseline contains scores and ids, no texts.

    Options:
        baseline: Baseline file. Default: .ragstone/baseline/NAME.json, else the newest complete run tagged branch=main.
        against: Read the baseline file as it is at this git revision, such as origin/main, which a pull request cannot
            edit.
        measured_already: DATASET contains results of ragstone or of another tool. They are compared as they are;
            nothing is measured.
        update: Make this run the baseline: write the baseline file, which you then commit.
        critical_repeats: How often a case tagged critical that broke is measured again. It counts as broken if most of
            these measurements fail. 0: not at all.
        max_unmeasured: Accepted share of results without a score, also in a new baseline.
        max_age: Warn if the baseline is older than this.

    Exit codes:
      0  green or yellow; with --update: the baseline is written
      1  red
      2  the command was wrong
      3  no baseline, nothing measured, nothing to compare, too few cases or answers to show that they got worse, or
         the run did not finish

    Examples:
      ragstone gate answers.jsonl --update                # on the main branch; commit .ragstone/baseline
      ragstone gate answers.jsonl --output gate.md        # on a branch
      ragstone gate test_run.json --results               # what another tool has measured
    """
    check_outputs(outputs, dataset, baseline)
    name = flags["name"] or Path(dataset).name.partition(".")[0] or "stdin"
    arguments = {} if measured_already else configured(flags)
    application = flags["app"]
    stored_baseline = _baseline(name, dataset, baseline, flags["store"], against, required=not update)
    if measured_already and application is not None:
        raise BadOption(
            "--results compares what was measured, and --app measures new answers: give one of them"
        )
    if measured_already:
        report, critical_repeats = load_report(dataset), 0
        measured = EvaluationOutcome(report, report.exit_code)
    else:
        arguments["store"] = resolve_store(arguments["store"])
        data, left_out = mapped_dataset(dataset, columns), set[str]()
        if application is not None and _has_answers(data):
            left_out = {*ApplicationCalls.model_fields}
        asked = {name: value for name, value in arguments.items() if name not in left_out}
        measured = measure(data, quiet=quiet, **asked)
    if measured.report is None or measured.code in (ExitCode.WRONG_COMMAND, ExitCode.INTERRUPTED):
        return measured.code
    if quiet:
        print_problems(measured.report)
    code = 0
    if stored_baseline is not None:
        comparison = compare_with_baseline(stored_baseline, measured.report, margin=margin)
        decision = decide(
            stored_baseline,
            measured.report,
            comparison,
            name=name,
            rechecked=recheck(comparison, critical_repeats, arguments, application),
            asked_again=application is not None and critical_repeats > 0,
            max_unmeasured=max_unmeasured,
            max_age=timedelta(days=max_age),
        )
        print_result(decision, as_json=as_json, quiet=quiet, most=None if verbose else MOST_FLIPS)
        code = write_outputs(decision, outputs, quiet=quiet) or decision.exit_code
    if not update:
        return code
    unmeasured, results = unmeasured_results(measured.report)
    if not measured.report.complete or unmeasured > max_unmeasured * results:
        print_message(
            f"error: {unmeasured} of {results} results have no score: this run cannot be the baseline."
        )
        return ExitCode.NOT_MEASURED
    return _update(measured.report, name, baseline, code)


def _has_answers(data: object) -> bool:
    """Return whether a test case of a dataset has an answer; standard input, which is read once, counts as such."""
    return data == "-" or any(
        isinstance(row, TestCase) and row.get("actual_output") is not None for row in read_dataset(data)
    )


def _baseline(
    name: str, dataset: str, file: str | None, store: str | None, against: str | None, *, required: bool
) -> GateBaseline | None:
    """Return the baseline; None if it is missing and not required."""
    if not required and against is None and file is not None and not Path(file).exists():
        return None
    try:
        return find_baseline(name, dataset, file=file, store=store, against=against)
    except MissingBaselineError as missing:
        if required:
            raise
        print_message(str(missing).partition(":")[0] + f" yet, and no run tagged {MAIN_BRANCH}.")
        return None
    except StoreError as error:
        if required:
            raise
        print_message(f"the store was not searched for a baseline: {error}")
        return None


def _update(report: Report, name: str, file: str | None, code: int) -> int:
    """Write the baseline; return the exit code, 0 if the baseline and all outputs were written."""
    path = Path(file) if file is not None else baseline_path(name)
    write = partial(write_baseline, BaselineFile.of(report, name), path)
    told = f"baseline written: {path}. Commit it."
    return saved(write, path, told) or (code if code == ExitCode.NOT_WRITTEN else 0)
