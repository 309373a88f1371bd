"""Options that several commands share."""

from typing import Annotated, Any

import click

from ragstone.cli._command import OptionSpec, field_option
from ragstone.cli._exit_codes import VERBOSE
from ragstone.cli._log import set_format
from ragstone.cli._permissions import TRUST
from ragstone.options import RUN_OPTIONS, Continuation, Limits, Pace, Repetition, RowSelection, Storage

Flags = dict[str, Any]
TRUST_PROJECT = OptionSpec(
    TRUST,
    is_flag=True,
    expose_value=False,
    help="Import the modules that the project's file or the resumed run names. Modules that you name yourself on the "
    "command line need no permission.",
)
LOG_FORMAT = OptionSpec(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    expose_value=False,
    callback=set_format,
    help="Format of the messages on standard error: lines of text, or one JSON object a line.",
)
JUDGE = (
    OptionSpec(
        "--judge",
        metavar="SPEC",
        help="Judge: local (the default: embedded, needs no key, sends nothing), openai[:MODEL], anthropic[:MODEL], "
        "ollama[:MODEL], tei:URL, decisions:URL, litellm:MODEL, or package.module:Class; several with commas between "
        "them, the cheapest first. `ragstone judges` lists those that can be used here.",
    ),
    TRUST_PROJECT,
)
"""--judge, and --trust, without which no code of a project is imported."""
METRICS = (
    OptionSpec(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        help="Metric to measure: a name or a spec such as 'faithfulness(threshold=0.8)', or several, separated by "
        "commas. May be given several times. `ragstone metrics` lists them.",
    ),
    OptionSpec(
        "--preset",
        metavar="NAME",
        help="Group of metrics, or several, separated by commas: rag,ragas,triad,ragchecker. Metrics that need fields "
        "that the dataset lacks are left out. Default: rag, if no --metric is given.",
    ),
)
CACHE = (field_option(Storage, "cache"), field_option(Storage, "offline"))
"""Options of a command that stores no run."""
_NO_STORE = OptionSpec("--no-store", is_flag=True, help="Do not store the run.")

RunFlags = Annotated[Flags, *METRICS, *JUDGE, *RUN_OPTIONS, _NO_STORE]
SweepFlags = Annotated[
    Flags, *METRICS, *JUDGE, *(group for group in RUN_OPTIONS if group is not Continuation), _NO_STORE
]
JudgingFlags = Annotated[Flags, *JUDGE, Pace, RowSelection, Limits, Storage, _NO_STORE]
"""Options of commands that measure the judge itself."""
TuningFlags = Annotated[Flags, *JUDGE, Pace, Limits, Storage, _NO_STORE]

Cluster = Annotated[str | None, field_option(Repetition, "cluster")]
Margin = Annotated[
    float | None,
    OptionSpec(
        type=click.FloatRange(min=0, min_open=True, max=1),
        metavar="CHANGE",
        help="Say of each metric whether it is shown not to be worse by more than this (non-inferiority), such as "
        "0.02.",
    ),
]
Columns = Annotated[
    tuple[str, ...],
    OptionSpec(
        "--map",
        metavar="FIELD=COLUMN,…",
        help="Columns with names of their own, such as question=prompt,contexts=docs.",
    ),
]
StoreName = Annotated[
    str | None,
    OptionSpec(
        metavar="WHERE",
        help="Store of the runs: a file or postgresql://user@host/database. Default: the configured store, else the "
        "user's data folder.",
    ),
]
Results = Annotated[
    tuple[str, ...],
    OptionSpec(
        "-o",
        "--output",
        metavar="FILE",
        help="Also write the results to FILE: .jsonl, .json, .csv, .parquet, .md, .html or .xml (JUnit). May be given "
        "several times. - writes JSON lines to standard output and nothing else; the report then goes to standard "
        "error.",
    ),
]
Documents = Annotated[
    tuple[str, ...],
    OptionSpec("-o", "--output", metavar="FILE", help="Also write the result to FILE: .md, .json or .html."),
]
Json = Annotated[
    bool, OptionSpec("--json", help="Write the result as JSON to standard output, and nothing else.")
]
Quiet = Annotated[bool, OptionSpec("-q", "--quiet", help="Show neither progress nor report, only errors.")]


def _set_verbose(ctx: click.Context, _: click.Parameter, value: bool) -> bool:  # noqa: FBT001  (click's)
    ctx.meta[VERBOSE] = value
    return value


Verbose = Annotated[
    bool,
    OptionSpec(
        "-v",
        "--verbose",
        callback=_set_verbose,
        help="Show every case below its threshold, and the traceback of an error.",
    ),
]
