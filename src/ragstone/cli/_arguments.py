"""The arguments of `evaluate` that the options of a command and the configuration give."""

from collections.abc import Mapping, Sequence
from typing import Any

from ragstone.arguments import arguments, judge_arguments
from ragstone.config import Settings, read_settings
from ragstone.options import RUN_OPTIONS, ApplicationCalls


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
    offline = {"offline": True} if keyless else {}
    settings = read_settings(from_flags | _implied_settings(flags) | offline).settings
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
    others = {name for group in RUN_OPTIONS for name in group.model_fields} - {*Settings.model_fields}
    return {**result, **{name: flags[name] for name in others if flags.get(name) is not None}}


def judging_arguments(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `evaluate` for a command that tests the judge and sets metrics and engine itself.

    Such a command stores its runs only with --store.
    """
    result = configured(flags, with_metrics=False)
    for name in ("engine", "on_missing", "combine", "details", *ApplicationCalls.model_fields):
        result.pop(name, None)
    result["store"] = _implied_settings(flags).get("store", flags.get("store"))
    return result


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


def mapped_dataset(dataset: str, columns: Sequence[str]) -> object:
    """Return the dataset unchanged, or with the columns of --map."""
    if not columns:
        return dataset
    from ragstone.datasets.mapping import parse_columns, with_columns  # noqa: PLC0415  (only with --map)

    return with_columns(dataset, parse_columns(columns))
