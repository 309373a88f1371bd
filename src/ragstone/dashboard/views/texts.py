"""Texts for templates: in parts by the claims that cover them, cut, as Markdown; exchanges with the judge."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

from ragstone.dashboard.views.verdicts import MetricVerdicts
from ragstone.findings.numbers import count, dollars, duration
from ragstone.findings.printable import printable
from ragstone.findings.view.exchanges import answer_text
from ragstone.findings.view.highlights import (
    Highlight,
    TextSegment,
    claim_highlights,
    passage_highlights,
    text_segments,
)
from ragstone.store import StoredExchange

_SIGNS = re.compile(r"^(#{1,6} |\s*[-*+] |\s*\d+[.)] |\|.*\||```|> )|\*\*\S|`[^`\n]+`", re.MULTILINE)
_ENOUGH_SIGNS = 2
SHOWN = 6_000  # characters of a text that a page shows unless the whole text is requested


class HighlightedText(NamedTuple):
    """A text in parts, its length, and whether it is longer than its parts."""

    strokes: tuple[TextSegment, ...]
    length: int
    cut: bool


def plain(text: str, *, whole: bool = False) -> HighlightedText:
    """Return a text without highlights."""
    return _highlighted(text, (), whole=whole)


def statements(
    text: str, judged: MetricVerdicts | None, letter: str, *, whole: bool = False
) -> HighlightedText:
    """Return a text with the claims of a metric highlighted."""
    marks = claim_highlights(text, judged.claims, letter) if judged else []
    return _highlighted(text, marks, whole=whole)


def evidence(
    text: str, number: int, read: Mapping[str, MetricVerdicts], *, whole: bool = False
) -> HighlightedText:
    """Return the passage of that number, with the words highlighted on which claims rest; `read`: letter → verdicts."""
    highlights = [
        passage_highlights(number, judged.claims, letter)
        for letter, judged in read.items()
        if judged.evidence
    ]
    return _highlighted(text, [mark for marks in highlights for mark in marks], whole=whole)


def _highlighted(text: str, marks: Iterable[Highlight], *, whole: bool) -> HighlightedText:
    shown = text if whole or len(text) <= SHOWN else text[:SHOWN]
    segments = text_segments(shown, [mark for mark in marks if mark.start < len(shown)])
    return HighlightedText(tuple(segments), len(text), cut=len(shown) < len(text))


def is_markdown(text: str) -> bool:
    """Return whether a text looks as if it were written in Markdown: at least two of its signs occur."""
    return sum(1 for _, _ in zip(range(_ENOUGH_SIGNS), _SIGNS.finditer(text), strict=False)) == _ENOUGH_SIGNS


def markdown_html(text: str) -> Markup:
    """Return a Markdown text as HTML: without HTML of its own, links or images, since texts may be hostile."""
    return Markup(_parser().render(printable(text)))  # noqa: S704  (the parser escapes what it does not write itself)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return parser.disable(["link", "autolink", "image", "html_inline", "html_block", "reference"])


class ExchangeView(NamedTuple):
    """One question and its answer: time, tokens and cost as facts, and the texts; None where there was none."""

    prompt: str
    facts: tuple[str, ...]
    request: HighlightedText | None
    response: HighlightedText | None
    error: str | None


def exchange_view(exchange: StoredExchange, *, whole: bool = False) -> ExchangeView:
    """Return an exchange as a page shows it; long texts are cut unless the whole is wanted."""
    response = answered(exchange)
    return ExchangeView(
        exchange.prompt,
        tuple(_facts(exchange)),
        plain(exchange.request, whole=whole) if exchange.request else None,
        plain(response, whole=whole) if response else None,
        exchange.error,
    )


def answered(exchange: StoredExchange) -> str:
    """Return what the judge wrote; where that is JSON, with its lines indented."""
    text = answer_text(exchange)
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text


def json_text(value: object) -> str:
    """Return a text as it is, and any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)


def elapsed(milliseconds: float) -> str:
    """Return a time as `12 ms`, `1.4 s`."""
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else duration(milliseconds / 1000)  # noqa: PLR2004


def _facts(exchange: StoredExchange) -> list[str]:
    facts = [exchange.judge, elapsed(exchange.latency_ms)] if exchange.judge else []
    if exchange.recorded:
        facts.append("found in the cache")
    if exchange.input_tokens or exchange.output_tokens:
        sent, received = count(exchange.input_tokens, "token"), count(exchange.output_tokens, "token")
        facts += [f"{sent} in", f"{received} out", dollars(exchange.cost)]
    if exchange.calls > 1:
        facts.append(f"asked {exchange.calls} times")
    if exchange.asked_for < 0:
        facts.append("shared by the whole run")
    return facts
