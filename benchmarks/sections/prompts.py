"""Calls and tokens per case, which determine the price of a run. Tokens are characters / 4."""

import tempfile
from collections.abc import Iterator

from benchmarks.cases import cases
from benchmarks.launch import launched
from benchmarks.measure import Setting, Taken, take, write_rows
from benchmarks.model import tokens
from benchmarks.table import Row

TITLE = "What the eight metrics of the preset rag send for a case"
_METRICS, _MOST_CALLS, _MOST_COMBINED = 8, 9, 7
_MOST_TOKENS = 0.45 * 11_700


def rows(setting: Setting) -> Iterator[Row]:
    data = cases(setting.cases)
    with tempfile.TemporaryDirectory() as folder, launched() as judge:
        whole = write_rows(folder, "cases", [case.model_dump(exclude_defaults=True) for case in data])
        separate = take("benchmarks.clients.ragstone", judge, whole, in_flight=setting.in_flight)
        combined = take("benchmarks.clients.combined", judge, whole, in_flight=setting.in_flight)
    seen = separate.seen
    count = len(data)
    calls, sent, schemas = (seen[key] / count for key in ("calls", "prompt_tokens", "schema_tokens"))
    own = sum(
        tokens(len(text))
        for case in data
        for text in (case.input, case.actual_output or "", case.expected_output or "", *case.passages())
    )
    yield Row(
        "calls",
        f"{calls:.1f}",
        f"metrics: {_METRICS}",
        calls / _METRICS,
        f"<= {_MOST_CALLS}",
        calls <= _MOST_CALLS,
    )
    yield Row(
        "prompt tokens",
        f"{sent:,.0f}",
        f"the case itself: {own / count:,.0f}",
        sent / (own / count),
        f"<= {_MOST_TOKENS:,.0f}",
        sent <= _MOST_TOKENS,
    )
    yield Row("tokens of the answers' schemas", f"{schemas:,.0f}", f"prompts: {sent:,.0f}", schemas / sent)
    yield from _combined(separate, combined, count)


def _combined(separate: Taken, combined: Taken, count: int) -> Iterator[Row]:
    """Yield tokens sent and received if prompts about the same evidence share a call, compared with separate calls."""
    for what, key in (
        ("calls", "calls"),
        ("prompt tokens", "prompt_tokens"),
        ("tokens of the answers' schemas", "schema_tokens"),
        ("tokens of the answers", "completion_tokens"),
    ):
        one, other = combined.seen[key] / count, separate.seen[key] / count
        most = (f"<= {_MOST_COMBINED}", one <= _MOST_COMBINED) if key == "calls" else ("", None)
        form = ",.1f" if key == "calls" else ",.0f"
        yield Row(f"{what}, combined", f"{one:{form}}", f"separate: {other:{form}}", one / other, *most)
    pairs = [
        (one, other)
        for mine, others in zip(combined.scores, separate.scores, strict=True)
        for one, other in zip(mine, others, strict=True)
    ]
    equal = sum(one == other for one, other in pairs)
    yield Row(
        "equal scores, combined",
        f"{equal:,}",
        f"scores: {len(pairs):,}",
        equal / len(pairs),
        "all",
        equal == len(pairs),
    )
