"""Options of the commands. Options of a run are generated from `ragstone.options`; the others are defined here."""

import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import click
from annotated_types import Ge, Gt

from ragstone.arguments import arguments, judge_arguments
from ragstone.cli._exit_codes import VERBOSE
from ragstone.cli._permissions import trust_option
from ragstone.config import Settings, read_settings
from ragstone.options import (
    ApplicationCalls,
    Combination,
    Continuation,
    DetailLevel,
    EngineOptions,
    Flag,
    Limits,
    MissingFields,
    OptionGroup,
    Pace,
    PassingScore,
    Repetition,
    RowSelection,
    RunLabels,
    Storage,
    flag_of,
    meanings,
)

F = TypeVar("F", bound=Callable[..., Any])
RUN_OPTIONS: tuple[type[OptionGroup], ...] = (
    Pace,
    PassingScore,
    RowSelection,
    ApplicationCalls,
    MissingFields,
    RunLabels,
    Limits,
    Storage,
    Continuation,
    EngineOptions,
    Repetition,
    Combination,
    DetailLevel,
)
"""The options of `ragstone run`, in the order of its help."""

JUDGING_OPTIONS: tuple[type[OptionGroup], ...] = (Pace, RowSelection, Limits, Storage)
"""The options of commands that measure the judge itself."""

_SINGULAR_NAMES = {"tags": "tag", "app_settings": "app_setting"}


def run_options(*groups: type[OptionGroup]) -> Callable[[F], F]:
    """Return a decorator that adds a flag for each option of the groups; values are None where not given."""
    options = [_click_option(group, name) for group in groups for name in group.model_fields]
    if Storage in groups:
        options.append(click.option("--no-store", is_flag=True, help="Do not store the run."))

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _click_option(group: type[OptionGroup], name: str) -> Callable[[F], F]:
    flag = flag_of(group, name) or Flag()
    meaning, default = meanings(group)[name], group.model_fields[name].default
    default_text = f" Default: {default}.".replace(".0.", ".") if default and default is not True else ""
    option_name = f"--{_SINGULAR_NAMES.get(name, name).replace('_', '-')}"
    options: dict[str, Any] = {"help": f"{meaning[:1].upper()}{meaning[1:]}.{default_text}", "default": None}
    kind = _value_type(group.model_fields[name].annotation)
    if flag.switch:
        return click.option(f"{option_name}/--no-{option_name[2:]}", name, **options)
    if kind is bool:
        return click.option(option_name, name, is_flag=True, flag_value=True, **options)
    if get_origin(kind) is tuple:
        options |= {"multiple": True, "default": ()}
        options["help"] += " May be given several times."
        kind = str
    return click.option(
        option_name, name, type=_click_type(kind, group, name), metavar=flag.metavar or None, **options
    )


def _value_type(annotation: Any) -> Any:  # noqa: ANN401  (a type, or what `typing` makes of one)
    """Return the type of a flag's value; for `bool | str | Path | None` it is `str`."""
    if get_origin(annotation) not in (Union, types.UnionType):
        return annotation
    members = [member for member in get_args(annotation) if member is not types.NoneType]
    return str if str in members else members[0]


def _click_type(kind: Any, group: type[OptionGroup], name: str) -> Any:  # noqa: ANN401
    """Return the click type of a value: a type, a range or a choice."""
    metadata = group.model_fields[name].metadata
    minimum = next((item.ge for item in metadata if isinstance(item, Ge)), None)
    open_minimum = next((item.gt for item in metadata if isinstance(item, Gt)), None)
    bounds: Any = {
        "min": minimum if open_minimum is None else open_minimum,
        "min_open": open_minimum is not None,
    }
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind in (int, float) and bounds["min"] is not None:
        return click.IntRange(**bounds) if kind is int else click.FloatRange(**bounds)
    return kind


def configured(
    flags: Mapping[str, Any], *, keyless: bool = False, with_metrics: bool = True
) -> dict[str, Any]:
    """Return the arguments of `evaluate` from flags and configuration.

    Flags take precedence over environment variables, these over the configuration file, and that over defaults.
    Metrics or a preset among the flags replace both the metrics and the preset of the configuration.

    Args:
        flags: option name → value; None for an option that was not given.
        keyless: create the judge without a key, since it will not be called.
        with_metrics: find the metrics too.

    Raises:
        UsageError: the configuration has an unknown key, or a value is out of bounds; the message names its source.
    """
    from_flags = {name: flags.get(name) for name in Settings.model_fields if name != "cache"}
    settings = read_settings(
        from_flags | _implied_settings(flags) | ({"offline": True} if keyless else {})
    ).settings
    if flags.get("metrics") or flags.get("preset"):
        metric_choice = {"metrics": tuple(flags.get("metrics") or ()), "preset": flags.get("preset")}
        settings = settings.model_copy(update=metric_choice)
    # The flag takes precedence over the thresholds of the configuration.
    if flags.get("threshold") is not None:
        settings = settings.model_copy(update={"thresholds": {}})
    result, cache = (arguments if with_metrics else judge_arguments)(settings), flags.get("cache")
    result["cache"] = cache is not False and (
        settings.cache or bool(cache or (settings.offline and not keyless))
    )
    if flags.get("batch") is False and result["engine"] is None:
        result["engine"] = "local"
    other_names = {*_option_names(RUN_OPTIONS)} - {*Settings.model_fields}
    return {**result, **{name: flags[name] for name in other_names if flags.get(name) is not None}}


def judging_arguments(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `evaluate` for a command that tests the judge and sets metrics and engine itself.

    Such a command stores its runs only with --store.
    """
    result = configured(flags, with_metrics=False)
    for name in ("engine", "on_missing", "combine", "details", *ApplicationCalls.model_fields):
        result.pop(name, None)
    result["store"] = _implied_settings(flags).get("store", flags.get("store"))
    return result


def _option_names(groups: Iterable[type[OptionGroup]]) -> Iterable[str]:
    return (name for group in groups for name in group.model_fields)


def _implied_settings(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that other flags imply."""
    implied: dict[str, Any] = {}
    if flags.get("no_store"):
        implied["store"] = False
    elif flags.get("store") == "default":
        implied["store"] = True
    if flags.get("engine") is None and (flags.get("ray_address") or flags.get("ray_workers")):
        implied["engine"] = "ray"
    return implied


def _set_verbose(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:  # noqa: FBT001  (click's)
    del parameter
    ctx.meta[VERBOSE] = value
    return value


_judge_option = click.option(
    "--judge",
    metavar="SPEC",
    help="Judge: local (the default: embedded, needs no key, sends nothing), openai[:MODEL], anthropic[:MODEL], "
    "ollama[:MODEL], tei:URL, decisions:URL, litellm:MODEL, or package.module:Class; several with commas between "
    "them, the cheapest first. `ragstone judges` lists those that can be used here.",
)


def judge_option(command: F) -> F:
    """Add --judge, and --trust, without which no code of a project is imported."""
    return _judge_option(trust_option(command))


metrics_option = click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="Metric to measure: a name or a spec such as 'faithfulness(threshold=0.8)', or several, separated by commas. "
    "May be given several times. `ragstone metrics` lists them.",
)

map_option = click.option(
    "--map",
    "columns",
    multiple=True,
    metavar="FIELD=COLUMN,…",
    help="Columns with names of their own, such as question=prompt,contexts=docs. May be given several times.",
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

cluster_option = _click_option(Repetition, "cluster")

margin_option = click.option(
    "--margin",
    type=click.FloatRange(min=0, min_open=True, max=1),
    metavar="CHANGE",
    help="Say of each metric whether it is shown not to be worse by more than this (non-inferiority), such as 0.02.",
)


def cache_options(command: F) -> F:
    """Add --cache and --offline to a command that stores no run."""
    return _click_option(Storage, "cache")(_click_option(Storage, "offline")(command))


def verbosity_options(command: F) -> F:
    """Add --quiet and --verbose."""
    quiet = click.option("-q", "--quiet", is_flag=True, help="Show neither progress nor report, only errors.")
    verbose = click.option(
        "-v",
        "--verbose",
        is_flag=True,
        callback=_set_verbose,
        help="Show every case below its threshold, and the traceback of an error.",
    )
    return quiet(verbose(command))
