"""Exchanges with the judge about a case, as they were sent and received."""

import json
from typing import NamedTuple

from ragstone.dashboard.views.highlighting import HighlightedText, plain
from ragstone.findings.numbers import count, dollars, duration
from ragstone.findings.view.exchanges import answer_text
from ragstone.store import StoredExchange

_SECOND_MS = 1000


class ExchangeView(NamedTuple):
    """One question and its answer.

    Attributes:
        prompt: what kind of question it was.
        facts: time, tokens, cost, whether it was found in a cache.
        request: the text that was sent; None where none was.
        response: the text that came; None where none came.
        error: what went wrong.
    """

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
    return _indented(answer_text(exchange))


def elapsed(milliseconds: float) -> str:
    """Return a time as `12 ms`, `1.4 s`."""
    return f"{milliseconds:.0f} ms" if milliseconds < _SECOND_MS else duration(milliseconds / _SECOND_MS)


def _indented(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text


def _facts(exchange: StoredExchange) -> list[str]:
    facts = [exchange.judge, elapsed(exchange.latency_ms)] if exchange.judge else []
    if exchange.recorded:
        facts.append("found in the cache")
    if exchange.input_tokens or exchange.output_tokens:
        facts += [
            f"{count(exchange.input_tokens, 'token')} in",
            f"{count(exchange.output_tokens, 'token')} out",
        ]
        facts.append(dollars(exchange.cost))
    if exchange.calls > 1:
        facts.append(f"asked {exchange.calls} times")
    if exchange.asked_for < 0:
        facts.append("shared by the whole run")
    return facts
