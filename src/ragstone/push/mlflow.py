"""MLflow: feedback on traces, for MLflow 3.

Source: mlflow/protos/assessments.proto and service.proto: `POST /api/3.0/mlflow/traces/{trace_id}/assessments`. The
server assigns the ids of assessments, so ragstone's id is stored in their metadata. An existing assessment is updated,
unless it is equal. A failed measurement is sent as feedback with an error and without a value.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ragstone.push.destination import PushAddress
from ragstone.push.requests import PushRefusal, PushRequest, given, mapping, mappings, url_below
from ragstone.push.scores import OutgoingScore

_ID_KEY = "ragstone.id"
_COMPARED_FIELDS = ("feedback", "rationale")
_TRACE_ID_DIGITS = 32
_ASSESSMENT_ID = re.compile(r"[\w-]{1,200}", re.ASCII)


def lookup(score: OutgoingScore, address: PushAddress) -> PushRequest:
    """Return the request that reads a score's trace with its assessments."""
    return PushRequest("GET", _trace_url(score, address), None, 0)


def request(score: OutgoingScore, address: PushAddress, trace: Mapping[str, Any]) -> PushRequest | None:
    """Return the request that creates or updates the assessment of a score; None if the trace has an equal one."""
    url, body = url_below(_trace_url(score, address), "assessments"), _assessment(score)
    info = mapping(mapping(trace.get("trace")).get("trace_info"))
    existing = next((item for item in mappings(info.get("assessments")) if _is_of(score, item)), None)
    if existing is None:
        return PushRequest("POST", url, {"assessment": body})
    if all(existing.get(name) == body.get(name) for name in _COMPARED_FIELDS):
        return None
    identifier = str(existing["assessment_id"])
    update = {
        "assessment": {**body, "assessment_id": identifier},
        "update_mask": "feedback,rationale,metadata",
    }
    return PushRequest("PATCH", url_below(url, identifier), update)


def refusal(reply: object, request: PushRequest) -> PushRefusal | None:
    """Return a refusal unless the reply has the assessment, or for a lookup the trace."""
    name = "assessment" if request.scores else "trace"
    return (
        None if mapping(mapping(reply).get(name)) else PushRefusal(request.scores, f"the reply has no {name}")
    )


def trace_of(score: OutgoingScore) -> str:
    """Return MLflow's id of a trace: for an OpenTelemetry id, `tr-` and its digits; others are unchanged."""
    trace = score.target.trace
    is_hexadecimal = len(trace) == _TRACE_ID_DIGITS and set(trace) <= set("0123456789abcdef")
    return f"tr-{trace}" if is_hexadecimal else trace


def _trace_url(score: OutgoingScore, address: PushAddress) -> str:
    return url_below(address.url, f"api/3.0/mlflow/traces/{quote(trace_of(score), safe='')}")


def _assessment(score: OutgoingScore) -> dict[str, Any]:
    error = {"error_code": score.error or score.label, "error_message": score.explanation or score.label}
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
    return given(fields)


def _is_of(score: OutgoingScore, assessment: Mapping[str, Any]) -> bool:
    """Return whether an assessment is that of a score. Its id becomes a part of a URL, so it must be one word."""
    identifier = assessment.get("assessment_id")
    is_id = isinstance(identifier, str) and _ASSESSMENT_ID.fullmatch(identifier) is not None
    return is_id and mapping(assessment.get("metadata")).get(_ID_KEY) == score.id
