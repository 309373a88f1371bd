"""The pages of metrics: what each class says of itself (name, direction, judge calls, options) is read from the class."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from ragstone.metrics import Metric
from ragstone.metrics.base import documentation
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.plugins import load

COMMON = ("threshold", "strict_mode", "include_reason", "reason_style", "per_turn")
"""The options that every metric has; the index of the metrics describes them."""


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Complete the page of a built-in metric."""
    del config, files
    folder, _, name = page.file.src_uri.removesuffix(".md").rpartition("/")
    return completed(markdown, name) if folder == "metrics" and name in BUILT_IN else markdown


def completed(markdown: str, name: str) -> str:
    """Return a metric's page with a line of facts above what it needs, and its options above its sources."""
    metric: type[Metric] = load(BUILT_IN[name])
    above, line, below = markdown.partition("\nNeeds ")
    heading = "\n## Elsewhere" if "\n## Elsewhere" in below else "\n**Source.**"
    text, sources, end = below.partition(heading)
    return f"{above}\n{_facts(metric)}\n{line}{text}\n{_options(metric)}{sources}{end}"


def _facts(metric: type[Metric]) -> str:
    facts = [
        f"`{documentation.name(metric)}`",
        f"`ragstone.metrics.{metric.__name__}`",
        f"{documentation.direction(metric)} is better",
        f"judge calls: {documentation.calls(metric)}",
    ]
    if metric.prompts:
        facts.append(f"embedded judge: {documentation.embedded(metric)}")
    return " · ".join(facts)


def _options(metric: type[Metric]) -> str:
    rows = [
        f"| `{option.name}` | {_default(option)} | {_cell(option.meaning)} |"
        for option in documentation.options(metric)
        if option.name not in COMMON
    ]
    table = ["| option | default | meaning |", "|---|---|---|", *rows, ""] if rows else []
    defaults = {option.name: _default(option) for option in documentation.options(metric)}
    common = f"`threshold` ({defaults['threshold']}), `strict_mode`, `include_reason`, `reason_style` and `per_turn` are"
    return "\n".join(
        ["## Options", "", *table, f"{common} [common to all](index.md#options-common-to-all).", ""]
    )


def _default(option: documentation.Option) -> str:
    return option.default if option.default == "required" else f"`{_cell(option.default)}`"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
