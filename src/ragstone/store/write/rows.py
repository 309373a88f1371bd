"""Rows of the tables from the events of a run: columns to sort and filter by, and the whole value as JSON."""

import json
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from ragstone.store.write.bulk import Row

if TYPE_CHECKING:  # a search for a text needs no model of a test case
    from ragstone.case import TestCase
    from ragstone.event import Answered, JudgeCalled, MeasurementFinished
    from ragstone.result import Result, Usage

SHOWN = 500  # characters of a question or an answer that are kept in a column, for tables and search


def case_row(case: "TestCase") -> Row:
    """Return the row of a test case; its key is a hash over its content."""
    body = as_json(case, exclude_defaults=True)
    return {
        "key": digest(body),
        "case_id": storable_text(case.id),
        "name": storable_text(case.name),
        "input": storable_text(case.input[:SHOWN]),
        "answer": storable_text((case.actual_output or "")[:SHOWN]),
        "body": body,
    }


def answer_row(run: int, answered: "Answered", case_key: str) -> Row:
    """Return the row of an application's answer, which is stored as a test case."""
    from ragstone.case import APPLICATION_ERROR  # noqa: PLC0415  (see above)

    failed = APPLICATION_ERROR in answered.case.metadata
    return {"run": run, "case_index": answered.case_index, "case_key": case_key, "failed": failed}


def run_case_row(run: int, case_index: int, case: "TestCase", case_key: str) -> Row:
    """Return the fixed columns of the row of a test case in a run, without the aggregates."""
    texts = (case.id, case.name or "", case.input[:SHOWN], (case.actual_output or "")[:SHOWN])
    return {
        "run": run,
        "case_index": case_index,
        "case_key": case_key,
        "case_id": storable_text(case.id),
        "id_hash": digest(case.id),
        "question_hash": digest(case.input.strip()),
        "tags": storable_text(json.dumps(case.tags, ensure_ascii=False)),
        "search_text": storable_text("\n".join(texts).casefold()),  # the search ignores case in every script
    }


def digest(text: str) -> str:
    """Return a hash of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def shortfall(result: "Result") -> float | None:
    """Return how far a score is on the wrong side of its threshold; below 0 on the right side."""
    if result.score is None or result.threshold is None:
        return None
    return (result.threshold - result.score) * (1 if result.higher_is_better else -1)


def result_row(run: int, measured: "MeasurementFinished", case_key: str) -> Row:
    """Return the row of a result, still without its serial number in the run."""
    result = measured.result
    return {
        "run": run,
        "case_index": measured.case_index,
        "metric_index": measured.metric_index,
        "case_key": case_key,
        "case_id": storable_text(result.case_id),
        "metric": _storable_name(result.metric),
        "spec": _storable_name(result.spec),
        "status": result.status or "",
        "score": result.score,
        "low": None if result.low == result.score else result.low,
        "high": None if result.high == result.score else result.high,
        "label": storable_text(result.label),
        "success": result.success,
        "error_kind": storable_text(result.error.partition(":")[0]) if result.error else None,
        "latency_ms": result.latency_ms,
        **_usage_row(result.usage),
        "cached_tokens": result.usage.cached_tokens,
        "cost": result.evaluation_cost,
        "shortfall": shortfall(result),
        "body": as_json(result),
    }


def _usage_row(usage: "Usage") -> Row:
    return {name: getattr(usage, name) for name in ("calls", "input_tokens", "output_tokens")}


def exchange_row(run: int, asked: "JudgeCalled") -> Row:
    """Return the row of a judge call with its answer or error."""
    exchange = asked.exchange
    return {
        "run": run,
        "key": exchange.key if exchange else _failure_key(asked),
        "case_index": asked.case_index,
        "prompt": _storable_name(asked.prompt),
        "judge": _storable_name(asked.judge),
        "recorded": asked.recorded,
        "latency_ms": asked.latency_ms,
        **_usage_row(asked.usage),
        "cost": asked.cost,
        "error": storable_text(asked.error),
        "request": storable_text(exchange.request) if exchange else "",
        "body": storable_text(exchange.written) if exchange else "",
    }


def _failure_key(call: "JudgeCalled") -> str:
    """Return a key that no answer has; it is equal for the same failure, because a write may be repeated."""
    return "!" + digest(f"{call.case_index} {call.prompt} {call.latency_ms!r} {call.error}")[1:]


def as_json(value: BaseModel, **options: Any) -> str:  # noqa: ANN401  (pydantic's own)
    """Return a value as JSON; what JSON cannot express (an object, an unpaired surrogate) as the closest text."""
    try:
        return value.model_dump_json(fallback=repr, **options)
    except PydanticSerializationError:
        text = json.dumps(value.model_dump(**options), default=_closest_text, ensure_ascii=False)
        return text.encode("utf-8", "replace").decode()


def _closest_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else repr(value)


@lru_cache(256)
def _storable_name(name: str) -> str:
    return cast("str", storable_text(name))


def storable_text(text: Any) -> Any:  # noqa: ANN401  (a text or None)
    """Return a text that every database accepts: PostgreSQL rejects NUL, UTF-8 unpaired surrogates."""
    if not isinstance(text, str):
        return None
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
