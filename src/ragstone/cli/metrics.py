"""`ragstone metrics`: the list of metrics; `ragstone metrics NAME`: the exact definition of one."""

import sys
from collections.abc import Iterator

import click
from rich.console import RenderableType
from rich.table import Table

from ragstone.metrics import Metric
from ragstone.metrics.base import documentation as page
from ragstone.metrics.base.catalog import BUILT_IN, PRESETS
from ragstone.metrics.base.parse import find_metric
from ragstone.plugins import load
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    plain_console,
    print_parts,
    styled,
    text_width,
)

_MIN_TABLE_WIDTH = 100


@click.command("metrics")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the metrics; with NAME, explain one: formula, options with their defaults, needs, source.

    A metric of your own, package.module:Class, is explained from its docstring.
    """
    console = plain_console(sys.stdout)
    print_parts(console, _list(text_width(console)) if name is None else _page(find_metric(name)))


def _list(width: int) -> Iterator[RenderableType]:
    metrics: list[type[Metric]] = [load(path) for path in BUILT_IN.values()]
    if width >= _MIN_TABLE_WIDTH:
        yield _table(metrics)
        yield ""
    else:
        for metric in metrics:
            yield from _block(metric)
    for preset, members in PRESETS.items():
        yield joined("preset ", styled(preset, STRONG), f"  {', '.join(members)}")
    yield styled(
        "\nDetails of one metric: ragstone metrics NAME. Options in a spec: 'faithfulness(threshold=0.8)'.",
        QUIET,
    )


def _table(metrics: list[type[Metric]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), header_style=QUIET)
    table.add_column("metric", no_wrap=True)
    table.add_column("asks", ratio=2)
    table.add_column("needs", ratio=1)
    table.add_column("judge calls", ratio=1)
    table.add_column("embedded judge", no_wrap=True)
    table.add_column("better", no_wrap=True)
    for metric in metrics:
        table.add_row(
            styled(page.name(metric), STRONG),
            page.asks(metric),
            page.needs(metric),
            page.calls(metric),
            page.embedded(metric),
            page.direction(metric),
        )
    return table


def _block(metric: type[Metric]) -> Iterator[RenderableType]:
    yield styled(page.name(metric), STRONG)
    yield indented(page.asks(metric), 2)
    yield indented(styled(f"needs {page.needs(metric)}", QUIET), 2)
    yield indented(styled(f"judge calls: {page.calls(metric)}; {page.direction(metric)} is better", QUIET), 2)
    yield indented(styled(f"by the embedded judge: {page.embedded(metric)}", QUIET), 2)
    yield ""


def _page(metric: type[Metric]) -> Iterator[RenderableType]:
    yield joined(styled(page.name(metric), STRONG), "\n")
    yield styled(page.full_description(metric))
    yield joined("\n", styled("needs         ", QUIET), page.needs(metric))
    yield joined(styled("judge calls   ", QUIET), page.calls(metric))
    yield joined(styled("embedded      ", QUIET), page.embedded(metric))
    yield joined(styled("better        ", QUIET), page.direction(metric), "\n")
    yield styled("options", QUIET)
    for option in page.options(metric):
        yield indented(joined(styled(option.name, STRONG), f" = {option.default}"), 2)
        yield indented(option.meaning, 6)
