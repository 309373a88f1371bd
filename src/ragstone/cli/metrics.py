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
    metrics = [load(path) for path in BUILT_IN.values()] if name is None else [find_metric(name)]
    if not as_json:
        print_document(_list(metrics) if name is None else _page(metrics[0]))
    elif name is None:
        print_json({"metrics": list(map(page.described, metrics)), "presets": PRESETS})
    else:
        print_json(page.described(metrics[0]))


def _list(metrics: list[type[Metric]]) -> Document:
    columns = (page.name, page.asks, page.needs, page.calls, page.embedded, page.direction)
    rows = (Row(tuple(describe(metric) for describe in columns)) for metric in metrics)
    presets = (
        Item(line("preset ", strong(preset), f"  {', '.join(members)}"))
        for preset, members in PRESETS.items()
    )
    hint = "Details of one metric: ragstone metrics NAME. Options in a spec: 'faithfulness(threshold=0.8)'."
    table = Table(_COLUMNS, tuple(rows), least_width=_TABLE_WIDTH)
    return Document("", (), (), (table, Items(tuple(presets)), Paragraph(line(quiet(hint)))))


def _page(metric: type[Metric]) -> Document:
    facts = {
        "needs": page.needs(metric),
        "judge calls": page.calls(metric),
        "embedded": page.embedded(metric),
        "better": page.direction(metric),
    }
    texts = [Item(line(text)) for text in page.full_description(metric).splitlines()]
    lines = [Item(line(StyledText(f"{name:<14}", "quiet"), fact)) for name, fact in facts.items()]
    options = [
        Item(line(strong(option.name), f" = {option.default}"), None, (line(option.meaning),))
        for option in page.options(metric)
    ]
    blocks = (Items(tuple(texts)), Items(tuple(lines)), *section("Options", Items(tuple(options))))
    return Document("metric", line(strong(page.name(metric))), (), blocks)
