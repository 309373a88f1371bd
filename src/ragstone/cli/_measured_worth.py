"""The options of `ragstone explain` that call the user's application, and the measurement that they start."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from ragstone.cli._options import cache_options, judge_option, judging_arguments, run_options
from ragstone.errors import BadOption
from ragstone.findings.diagnosis import Diagnosis
from ragstone.options import APP_CONCURRENCY, Limits, Pace
from ragstone.oracle import measure_worth
from ragstone.oracle.experiment import APP_CALLS

F = TypeVar("F", bound=Callable[..., Any])


def application_options(command: F) -> F:
    """Add --app and its options."""
    app = click.option(
        "--app",
        metavar="APP",
        help="Measure the gain from fixing each cause: call your application (module:function, "
        "a URL or a command), with the question alone and with contexts=[...] beside it, on the failures, "
        "and judge its answers with and without the passages and answers of an oracle.",
    )
    calls = click.option(
        "--app-calls",
        type=click.IntRange(min=2),
        metavar="N",
        help=f"Maximum number of calls of the application; each failure takes two. Default: {APP_CALLS}.",
    )
    concurrency = click.option(
        "--app-concurrency",
        type=click.IntRange(min=1),
        metavar="N",
        help=f"Concurrent calls of the application; in threads if it is not async. Default: {APP_CONCURRENCY}.",
    )
    for option in (cache_options, run_options(Pace, Limits), judge_option, concurrency, calls, app):
        command = option(command)
    return command


def with_measured_worth(found: Diagnosis, flags: Mapping[str, Any]) -> Diagnosis:
    """Return the diagnosis with the measured worth of mending its causes if --app names an application.

    Raises:
        BadOption: an option that only --app uses is given without it, or the application cannot be called.
    """
    application = flags.get("app")
    if application is None:
        unused = [name for name, value in flags.items() if value not in (None, ())]
        if unused:
            flag = f"--{unused[0].replace('_', '-')}"
            raise BadOption(
                f"{flag} has an effect only with --app, which calls your application: give --app too"
            )
        return found
    arguments = judging_arguments({**flags, "judge": flags.get("judge") or found.report.run.plan.judge})
    for name in ("store", "progress"):
        arguments.pop(name, None)
    return measure_worth(
        found,
        application,
        app_calls=flags.get("app_calls") or APP_CALLS,
        app_concurrency=flags.get("app_concurrency") or APP_CONCURRENCY,
        **arguments,
    )
