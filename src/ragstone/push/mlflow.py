"""MLflow: feedback on traces, for MLflow 3.

Source: mlflow/protos/assessments.proto and service.proto: `POST /api/3.0/mlflow/traces/{trace_id}/assessments`. The
server assigns the ids of assessments, so ragstone's id is stored in their metadata. An existing assessment is updated,
unless it is equal. A failed measurement is sent as feedback with an error and without a value.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast
from urllib.parse import quote

from ragstone.push.destination import PushAddress
from ragstone.push.requests import PushRequest
from ragstone.push.scores import OutgoingScore

_ID_KEY = "ragstone.id"
_COMPARED_FIELDS = ("feedback", "rationale")
_TRACE_ID_DIGITS = 32


def lookup(score: OutgoingScore, address: PushAddress) -> PushRequest:
    """Return the request that reads a score's trace with its assessments."""
    return PushRequest("GET", _trace_url(score, address), None, 0)


def request(score: OutgoingScore, address: PushAddress, trace: Mapping[str, Any]) -> PushRequest | None:
    """Return the request that creates or updates the assessment of a score; None if an equal one exists.

    Args:
        score: the score.
        address: the server.
        trace: the response to the request of `lookup`.
    """
    url, body = f"{_trace_url(score, address)}/assessments", _assessment(score)
    existing = next((item for item in _assessments(trace) if _metadata(item).get(_ID_KEY) == score.id), None)
    if existing is None:
        return PushRequest("POST", url, {"assessment": body})
    if all(existing.get(name) == body.get(name) for name in _COMPARED_FIELDS):
        return None
    identifier = quote(str(existing.get("assessment_id")), safe="")
    update = {
        "assessment": {**body, "assessment_id": identifier},
        "update_mask": "feedback,rationale,metadata",
    }
    return PushRequest("PATCH", f"{url}/{identifier}", update)


def trace_of(score: OutgoingScore) -> str:
    """Return MLflow's id of a trace: for an OpenTelemetry id, `tr-` and its digits; others are unchanged."""
    trace = score.target.trace
    is_hexadecimal = len(trace) == _TRACE_ID_DIGITS and set(trace) <= set("0123456789abcdef")
    return f"tr-{trace}" if is_hexadecimal else trace


def _trace_url(score: OutgoingScore, address: PushAddress) -> str:
    return f"{address.url}/api/3.0/mlflow/traces/{quote(trace_of(score), safe='')}"


def _assessment(score: OutgoingScore) -> dict[str, Any]:
    error = {"error_code": score.error or "not_measured", "error_message": score.explanation or score.label}
    fields = {
        "assessment_name": score.name.replace(".", "_"),
        "trace_id": trace_of(score),
        "span_id": None if score.target.whole else score.target.span,
        "source": {
            "source_type": "LLM_JUDGE" if score.kind == "LLM" else "CODE",
            "source_id": score.identifier,
        },
        "feedback": {"error": error} if score.score is None else {"value": score.score},
        "rationale": score.explanation if score.score is not None else None,
        "metadata": {_ID_KEY: score.id, "ragstone.run": score.run, "label": score.label},
    }
    return {name: value for name, value in fields.items() if value is not None}


def _assessments(response: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    trace: Any = response.get("trace") or {}
    info: Any = cast("dict[str, Any]", trace).get("trace_info") or {}
    return cast("list[dict[str, Any]]", cast("dict[str, Any]", info).get("assessments") or [])


def _metadata(assessment: Mapping[str, Any]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", assessment.get("metadata") or {})
