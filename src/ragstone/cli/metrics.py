"""`ragstone metrics`: the list of metrics; `ragstone metrics NAME`: the exact definition of one."""

from ragstone.cli._command import subcommand
from ragstone.cli._options import Json
from ragstone.cli._output import print_document, print_json
from ragstone.metrics import Metric
from ragstone.metrics.base import documentation as page
from ragstone.metrics.base.catalog import BUILT_IN, PRESETS
from ragstone.metrics.base.parse import find_metric
from ragstone.plugins import load
from ragstone.show.document import (
    Document,
    Item,
    Items,
    Paragraph,
    Row,
    StyledText,
    Table,
    TableColumn,
    line,
    quiet,
    section,
    strong,
)

_TABLE_WIDTH = 100
_COLUMNS = (
    TableColumn("metric", style="strong"),
    TableColumn("asks", bare=True),
    TableColumn("needs"),
    TableColumn("judge calls"),
    TableColumn("embedded judge"),
    TableColumn("better"),
)


@subcommand("metrics")
def command(name: str | None = None, *, as_json: Json = False) -> None:
    """List the metrics; with NAME, explain one: formula, options with their defaults, needs, source.

    A metric of your own, package.module:Class, is explained from its docstring.
    """
    if not as_json:
        print_document(_list() if name is None else _page(find_metric(name)))
    elif name is None:
        print_json(
            {"metrics": [page.described(load(path)) for path in BUILT_IN.values()], "presets": PRESETS}
        )
    else:
        print_json(page.described(find_metric(name)))


def _list() -> Document:
    rows = tuple(_row(load(path)) for path in BUILT_IN.values())
    presets = tuple(
        Item(line("preset ", strong(preset), f"  {', '.join(members)}"))
        for preset, members in PRESETS.items()
    )
    hint = "Details of one metric: ragstone metrics NAME. Options in a spec: 'faithfulness(threshold=0.8)'."
    table = Table(_COLUMNS, rows, least_width=_TABLE_WIDTH)
    return Document("", (), (), (table, Items(presets), Paragraph(line(quiet(hint)))))


def _row(metric: type[Metric]) -> Row:
    described = (page.asks, page.needs, page.calls, page.embedded, page.direction)
    return Row((page.name(metric), *(describe(metric) for describe in described)))


def _page(metric: type[Metric]) -> Document:
    described = (
        ("needs", page.needs),
        ("judge calls", page.calls),
        ("embedded", page.embedded),
        ("better", page.direction),
    )
    description = Items(tuple(Item(line(text)) for text in page.full_description(metric).splitlines()))
    facts = Items(
        tuple(
            Item(line(StyledText(f"{name:<14}", "quiet"), describe(metric))) for name, describe in described
        )
    )
    options = Items(
        tuple(
            Item(line(strong(option.name), f" = {option.default}"), None, (line(option.meaning),))
            for option in page.options(metric)
        )
    )
    return Document(
        "metric", line(strong(page.name(metric))), (), (description, facts, *section("Options", options))
    )
