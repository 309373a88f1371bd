"""The pages of metrics: what the classes say of themselves is read from them.

On a metric's page these are question, name, direction, judge calls, formula, options and source; in the index, question and
judge calls.
"""

import re
import textwrap

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
    """Complete the page of a built-in metric, and their index."""
    del config, files
    folder, _, name = page.file.src_uri.removesuffix(".md").rpartition("/")
    if folder != "metrics":
        return markdown
    return completed(markdown, name) if name in BUILT_IN else with_tables(markdown)


def with_tables(index: str) -> str:
    """Return the index with its lists of metrics as tables of what they ask and how many calls they make."""
    return re.sub(r"(?:^- \[`\w+`\]\(\w+\.md\)\n)+", _table, index, flags=re.MULTILINE)


def _table(found: re.Match[str]) -> str:
    rows = ["| metric | asks | calls |", "|---|---|---|"]
    for name in re.findall(r"`(\w+)`", found[0]):
        metric: type[Metric] = load(BUILT_IN[name])
        mark = " †" if documentation.embedded(metric) == "no" else ""
        asks, calls = documentation.asks(metric), documentation.calls(metric)
        rows.append(f"| [`{name}`]({name}.md){mark} | {_cell(asks)} | {_cell(calls)} |")
    return "\n".join([*rows, ""])


def completed(markdown: str, name: str) -> str:
    """Return a metric's page with what its class says: question, facts, formula, options, source.

    The question and the facts stand above what it needs, the formula below its heading, the rest at the end.
    """
    metric: type[Metric] = load(BUILT_IN[name])
    text = documentation.full_description(metric)
    question = text.splitlines()[0].partition(": ")[2]
    formula = textwrap.dedent(re.search(r"(?:^ {4}.*\n|^\n(?= {4}))+", text, re.MULTILINE)[0]).strip()
    source = " ".join(text.split()).rpartition("Source: ")[2]
    above, line, below = markdown.partition("\nNeeds ")
    before, heading, notes = below.partition("\n## Formula\n")
    return (
        f"{above}\n{question[0].upper()}{question[1:]}\n\n{_facts(metric)}\n{line}{before}{heading}"
        f"\n```text\n{formula}\n```\n{notes.rstrip()}\n\n{_options(metric)}\n**Source.** {source}\n"
    )


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
