"""Options that several commands share: spelt, explained and read in one place."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ragstone.cli._exit_codes import VERBOSE

F = TypeVar("F", bound=Callable[..., Any])


def _set_verbose(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:  # noqa: FBT001  (click's)
    del parameter
    ctx.meta[VERBOSE] = value
    return value


judge_option = click.option(
    "--judge",
    "judge_spec",
    metavar="SPEC",
    help="Who judges: local (the default: embedded, no key, nothing leaves this machine), openai[:MODEL], "
    "anthropic[:MODEL], ollama[:MODEL], litellm:MODEL, or package.module:Class.",
)

output_option = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Also write the results to FILE: .jsonl, .json, .csv, .parquet, .md, .html or .xml (JUnit). "
    "May be given several times. - writes JSON lines to standard output and nothing else; the report then goes to "
    "standard error.",
)


repeats_option = click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=1,
    metavar="K",
    help="Measure everything K times: tells the judge's own spread from the cases', and names the cases on which it "
    "wavers. A case then passes only where the whole interval of its score does.",
)

cluster_option = click.option(
    "--cluster",
    metavar="KEY",
    help="Metadata key by which cases are grouped, such as document: cases of one group are not independent, and the "
    "intervals say so.",
)


def verbosity_options(command: F) -> F:
    """Add --quiet and --verbose."""
    quiet = click.option("-q", "--quiet", is_flag=True, help="Show neither progress nor report, only errors.")
    verbose = click.option(
        "-v",
        "--verbose",
        is_flag=True,
        callback=_set_verbose,
        help="Show every case with something below the mark, and the traceback of an error.",
    )
    return quiet(verbose(command))
