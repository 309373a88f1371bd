"""What a run sends: calls and tokens a case, which is what people pay for. Tokens are characters / 4."""

import tempfile
from collections.abc import Iterator

from benchmarks.cases import cases
from benchmarks.launch import launched
from benchmarks.measure import Setting, take, write_rows
from benchmarks.model import tokens
from benchmarks.table import Row

TITLE = "What six metrics send for a case"
_METRICS, _MOST_CALLS = 6, 9
_MOST_TOKENS = 0.45 * 11_700


def rows(setting: Setting) -> Iterator[Row]:
    data = cases(setting.cases)
    with tempfile.TemporaryDirectory() as folder, launched() as judge:
        whole = write_rows(folder, "cases", [case.model_dump(exclude_defaults=True) for case in data])
        seen = take("benchmarks.clients.ragstone", judge, whole, in_flight=setting.in_flight).seen
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
