"""Files of traces: OTLP/JSON, exports of tracing tools, spans; as test cases and redacted."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.attack.mutations import mutated, mutated_json, mutated_lines
from benchmarks.attack.samples import TESTS, documents
from benchmarks.attack.watch import Attempt
from ragstone.datasets.traces import from_traces, trace_rows_of
from ragstone.errors import UsageError
from ragstone.traces.feedback import read_feedback
from ragstone.traces.formats import read_object
from ragstone.traces.redaction import BUILT_IN, Redaction

_UNITS = ("trace", "trace", "session", "span:ChatOpenAI", "span:answer")


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield mutated files of traces, and single objects."""
    files = [documents(path) for path in sorted((TESTS / "traces" / "fixtures").glob("*.json*"))]
    redaction = Redaction(BUILT_IN)
    for number in range(count):
        lines = rng.choice(files)
        if number % 3:
            path = folder / f"traces{number % 8}.jsonl"
            content = mutated_lines(lines, rng) if len(lines) > 1 else mutated_json(lines[0], rng)
            unit = rng.choice(_UNITS)
            yield (
                f"{unit}: {content[:80]!r}",
                lambda path=path, content=content, unit=unit: _read(path, content, unit),
            )
        else:
            changed = mutated(rng.choice(lines), rng)
            yield json.dumps(changed)[:80], lambda changed=changed: _redact(changed, redaction)


def _read(path: Path, content: str, unit: str) -> None:
    path.write_text(content, "utf-8", errors="replace", newline="")
    with suppress(UsageError):
        for _ in trace_rows_of(from_traces(str(path), unit=unit, user_salt="salt"), path.name) or ():
            pass


def _redact(document: Any, redaction: Redaction) -> None:  # noqa: ANN401  (JSON)
    if not isinstance(document, dict):
        return
    records = [
        redaction.record(record) for record in read_object(document) or () if not isinstance(record, str)
    ]
    read_feedback(records)
