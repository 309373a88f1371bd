"""From what a run tells to rows of tables: columns to sort and filter by, and the whole as JSON."""

import json
from hashlib import blake2b
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from ragstone.case import TestCase
from ragstone.event import Asked, Measured

Row = dict[str, Any]
_INPUT_SHOWN = 500


def case_row(case: TestCase) -> Row:
    """Return the row of a test case; its key is a hash over its content."""
    body = as_json(case, exclude_defaults=True)
    return {
        "key": blake2b(body.encode(), digest_size=16).hexdigest(),
        "case_id": plain(case.id),
        "name": plain(case.name),
        "input": plain(case.input[:_INPUT_SHOWN]),
        "body": body,
    }


def result_row(run: int, measured: Measured, case_key: str) -> Row:
    """Return the row of a result."""
    result = measured.result
    return {
        "run": run,
        "case_index": measured.case_index,
        "metric_index": measured.metric_index,
        "case_key": case_key,
        "case_id": plain(result.case_id),
        "metric": plain(result.metric),
        "spec": plain(result.spec),
        "status": result.status,
        "score": result.score,
        "success": result.success,
        "error_kind": plain(result.error.partition(":")[0]) if result.error else None,
        "latency_ms": result.latency_ms,
        "calls": result.usage.calls,
        "input_tokens": result.usage.input_tokens,
        "output_tokens": result.usage.output_tokens,
        "cached_tokens": result.usage.cached_tokens,
        "cost": result.evaluation_cost,
        "body": as_json(result),
    }


def exchange_row(run: int, asked: Asked) -> Row | None:
    """Return the row of a question and its answer, None where no answer came."""
    if asked.exchange is None:
        return None
    return {
        "run": run,
        "key": asked.exchange.key,
        "case_index": asked.case_index,
        "prompt": plain(asked.prompt),
        "recorded": asked.recorded,
        "latency_ms": asked.latency_ms,
        "calls": asked.usage.calls,
        "input_tokens": asked.usage.input_tokens,
        "output_tokens": asked.usage.output_tokens,
        "cost": asked.cost,
        "body": asked.exchange.written,
    }


def as_json(value: BaseModel, **options: Any) -> str:  # noqa: ANN401  (pydantic's own)
    """Return a value as JSON; what JSON cannot say (a user's own object, half a surrogate pair) as the nearest text."""
    try:
        return value.model_dump_json(fallback=repr, **options)
    except PydanticSerializationError:
        text = json.dumps(value.model_dump(**options), default=repr, ensure_ascii=False)
        return text.encode("utf-8", "replace").decode()


def plain(text: Any) -> Any:  # noqa: ANN401  (a text or None)
    """Return a text that every database takes: PostgreSQL has no NUL, UTF-8 no half surrogate pairs."""
    if not isinstance(text, str):
        return None
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
