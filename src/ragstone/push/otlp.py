"""OTLP: a carrier span for each score, with one link to the span that was evaluated.

The carrier follows OpenInference (spec/annotations.md, August 2026): `openinference.span.kind` is `EVALUATOR`, and the
score stands under `evaluations.0`, or, where it is of a whole trace, under `trace.evaluations.0`. It also holds the
event `gen_ai.evaluation.result` of OpenTelemetry's conventions. Ids and times are made from the score and its run, so
that the same score is the same span at every push.
"""

import re
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from ragstone.push.destination import PushAddress
from ragstone.push.requests import PushRefusal, PushRequest, batches, given, mapping
from ragstone.push.scores import OutgoingScore

_BATCH_SIZE = 200
_COUNT = re.compile(r"[0-9]{1,9}")


def requests(scores: Iterable[OutgoingScore], address: PushAddress) -> Iterable[PushRequest]:
    """Yield a request for every 200 scores. Scores without a span to link to, such as of sessions, are left out."""
    scope = {"name": "ragstone", "version": version("ragstone")}
    resource = {"attributes": _key_values({"service.name": "ragstone"})}
    linked = (score for score in scores if score.target.span is not None)
    for batch in batches(linked, _BATCH_SIZE):
        spans = [_carrier(score) for score in batch]
        body = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]}
        yield PushRequest("POST", address.url, body, len(batch))


def refusal(reply: object, request: PushRequest) -> PushRefusal | None:
    """Return what a reply says was rejected: `partialSuccess`, or all if it is no reply of OTLP; None if nothing was.

    An empty reply is a response of which every field has its default: everything was accepted.
    """
    values = mapping(reply)
    if reply is not None and reply != values:
        return PushRefusal(request.scores, "the reply is not one of OTLP")
    partial = mapping(values.get("partialSuccess", values.get("partial_success")))
    count = str(partial.get("rejectedSpans", partial.get("rejected_spans", 0)))
    reason = str(partial.get("errorMessage", partial.get("error_message", "")))
    if not _COUNT.fullmatch(count):
        return PushRefusal(request.scores, "the reply has no valid number of rejected spans")
    rejected = min(int(count), request.scores)
    return PushRefusal(rejected, reason or f"{rejected} spans were rejected") if rejected else None


def _carrier(score: OutgoingScore) -> dict[str, Any]:
    prefix = f"{'trace.' if score.target.whole else ''}evaluations.0.evaluation"
    fields = {
        "name": score.name,
        "score": score.score,
        "label": score.label,
        "explanation": score.explanation,
        "annotator_kind": score.kind,
        "identifier": score.identifier,
    }
    attributes = {
        "openinference.span.kind": "EVALUATOR",
        "ragstone.run.id": score.run,
        **{f"{prefix}.{name}": value for name, value in given(fields).items()},
    }
    return {
        "traceId": score.id,
        "spanId": score.id[:16],
        "name": f"evaluation {score.name}",
        "kind": 1,
        "startTimeUnixNano": str(score.time_ns),
        "endTimeUnixNano": str(score.time_ns),
        "attributes": _key_values(attributes),
        "links": [{"traceId": score.target.trace, "spanId": score.target.span}],
        "events": [
            {
                "name": "gen_ai.evaluation.result",
                "timeUnixNano": str(score.time_ns),
                "attributes": _key_values(_event(score)),
            }
        ],
        "status": {},
    }


def _event(score: OutgoingScore) -> dict[str, Any]:
    fields = {
        "gen_ai.evaluation.name": score.name,
        "gen_ai.evaluation.score.value": score.score,
        "gen_ai.evaluation.score.label": score.label if score.error is None else None,
        "gen_ai.evaluation.explanation": score.explanation,
        "error.type": score.error,
    }
    return given(fields)


def _key_values(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "key": name,
            "value": {"doubleValue": value} if isinstance(value, float) else {"stringValue": str(value)},
        }
        for name, value in attributes.items()
    ]
