"""`ragstone sweep`: several settings of an application are compared, and those that are worse dropped."""

from typing import TYPE_CHECKING, Annotated

import click

from ragstone.cli._arguments import configured, mapped_dataset
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._options import Columns, Documents, Json, Quiet, SweepFlags, Verbose
from ragstone.cli._output import check_outputs, print_result, write_outputs
from ragstone.cli._store import locate_store, open_existing_store
from ragstone.errors import BadOption

if TYPE_CHECKING:  # the help needs none of it
    from ragstone.findings.sweep import SweepReport


@subcommand("sweep")
def command(
    grid: str | None = None,
    dataset: str | None = None,
    *,
    objective: Annotated[str | None, OptionSpec(metavar="METRIC")] = None,
    error: Annotated[
        float,
        OptionSpec(type=click.FloatRange(min=0, max=1, min_open=True, max_open=True), metavar="CHANCE"),
    ] = 0.05,
    resume: Annotated[str | None, OptionSpec(metavar="SWEEP")] = None,
    show: Annotated[str | None, OptionSpec(metavar="SWEEP")] = None,
    estimate: bool = False,
    flags: SweepFlags,
    columns: Columns = (),
    outputs: Documents = (),
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Ask an application the questions of DATASET with every setting in GRID, and drop the settings that are worse.

    GRID is a TOML file of lists, such as top_k = [2, 5, 10]; all combinations are tried. The values reach a function as
    keywords, and a URL or a command as "settings" in its JSON.

    All settings are asked the same questions, in rungs: first a few, then twice as many, and so on. After each rung the
    settings that are shown to be worse than the leader are dropped. The result is the set of those that cannot be told
    apart from it. Each setting is a run in the store.

    --name names the sweep; --max-cost is for all of it.

    Options:
        objective: The metric that is compared. Default: the first that is measured.
        error: Greatest chance that a setting is dropped by one that is not better, the best included.
        resume: The sweep to continue: its name, or last. What was asked is not asked again.
        show: Show a stored sweep, by its name or last; nothing is asked.
        estimate: Print the rungs and how many answers are asked for; ask nothing.

    Exit codes:
      0  the sweep is finished
      2  the command was wrong; nothing was asked
      3  the sweep was stopped, or nothing could be compared

    Examples:
      ragstone sweep grid.toml questions.jsonl --app my_app:answer -m answer_accuracy
      ragstone sweep grid.toml questions.jsonl --app my_app:answer --estimate
      ragstone sweep grid.toml questions.jsonl --app my_app:answer --resume last
      ragstone sweep --show last --output sweep.html
    """
    del verbose
    check_outputs(outputs, grid, dataset)
    if show is not None:
        if grid is not None:
            raise BadOption("--show shows a stored sweep: give neither GRID nor DATASET")
        found = _stored(show, flags["store"])
    else:
        if grid is None or dataset is None:
            raise BadOption(
                "a sweep needs GRID and DATASET: ragstone sweep grid.toml questions.jsonl --app my_app:answer"
            )
        from ragstone.api._sweep import Sweep  # noqa: PLC0415  (the help needs none of it)

        arguments = configured(flags, keyless=estimate)
        if not quiet:
            arguments["progress"] = True
        if arguments["store"] in {None, True}:  # where the runs of `ragstone run` are
            arguments["store"] = locate_store(None)
        if resume is not None:
            arguments["resume"] = resume
        sweep = Sweep(
            mapped_dataset(dataset, columns),
            grid,
            arguments.pop("metrics"),
            arguments,
            objective=objective,
            error=error,
            listener=None if quiet else print_message,
        )
        if estimate:
            click.echo(sweep.bounds())
            return 0
        again = f"to continue, run the same command with --resume {sweep.plan.name}"
        try:
            found = sweep.race()
        except KeyboardInterrupt:
            print_message(f"stopped. {again[0].upper()}{again[1:]}")
            return ExitCode.INTERRUPTED
        if found.stopped:
            print_message(f"stopped: {found.stopped}")
            print_message(again)
    print_result(found, as_json=as_json, quiet=quiet)
    return write_outputs(found, outputs, quiet=quiet) or found.exit_code


def _stored(name: str, store: str | None) -> "SweepReport":
    from ragstone.api._sweep_grid import find_sweep  # noqa: PLC0415  (the help needs none of it)
    from ragstone.findings.sweep import sweep_report  # noqa: PLC0415

    return sweep_report(*find_sweep(open_existing_store(store), name))
