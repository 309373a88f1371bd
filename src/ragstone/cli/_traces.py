"""Options of commands that read traces, which select how a trace becomes a test case."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def trace_options(command: F) -> F:
    """Add --unit, --retrieval-tool and --trace-format."""
    unit = click.option(
        "--unit",
        metavar="UNIT",
        help="For traces: what becomes a test case: trace (the default), session, or span:NAME, every span of "
        "that name.",
    )
    tools = click.option(
        "--retrieval-tool",
        "retrieval_tools",
        multiple=True,
        metavar="NAME",
        help="For traces: a tool whose results are retrieved passages. May be given several times.",
    )
    form = click.option(
        "--trace-format",
        metavar="NAME",
        help="For traces: the format of the file: otlp, phoenix, langfuse, mlflow or langsmith. Default: detected from "
        "its content.",
    )
    return unit(tools(form(command)))


def trace_dataset(
    dataset: str, form: str | None, unit: str | None, tools: Sequence[str], columns: Sequence[str] = ()
) -> object:
    """Return the dataset unchanged, with named columns, or as traces if an option for traces was given.

    Raises:
        UsageError: the unit, the format or the field does not exist.
    """
    if columns:
        return mapped_dataset(dataset, columns)
    if form is None and unit is None and not tools:
        return dataset
    from ragstone.datasets import from_traces  # noqa: PLC0415  (only where traces are read)

    return from_traces(dataset, unit=unit or "trace", retrieval_tools=tools, format=form)


def mapped_dataset(dataset: str, columns: Sequence[str]) -> object:
    """Return the dataset unchanged, or with the columns of --map.

    Raises:
        UsageError: the mapping cannot be read, or a field does not exist.
    """
    if not columns:
        return dataset
    from ragstone.datasets.mapping import parse_columns, with_columns  # noqa: PLC0415  (only with --map)

    return with_columns(dataset, parse_columns(columns))
