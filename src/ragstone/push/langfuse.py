"""Langfuse: scores of traces, observations and sessions.

Source: Langfuse's public API, `POST /api/public/scores`. A score replaces an existing one with the same id. Langfuse
requires a value, so results without a score are not sent.
"""

from collections.abc import Iterable
from typing import Any

from ragstone.push.destination import PushAddress
from ragstone.push.requests import PushRefusal, PushRequest, given, mapping, url_below
from ragstone.push.scores import OutgoingScore


def requests(scores: Iterable[OutgoingScore], address: PushAddress) -> Iterable[PushRequest]:
    """Yield a request for each score that was measured."""
    for score in scores:
        if score.score is not None:
            yield PushRequest("POST", url_below(address.url, "api/public/scores"), _body(score))


def refusal(reply: object, request: PushRequest) -> PushRefusal | None:
    """Return a refusal unless the reply has the id of the score."""
    return (
        None
        if mapping(reply).get("id")
        else PushRefusal(request.scores, "the reply does not confirm the score")
    )


def _body(score: OutgoingScore) -> dict[str, Any]:
    target = score.target
    target_ids = {
        "sessionId": target.session,
        "traceId": target.trace or None,
        "observationId": None if target.whole else target.span,
    }
    fields = {
        "id": score.id,
        **target_ids,
        "name": score.name,
        "value": score.score,
        "dataType": "NUMERIC",
        "comment": score.explanation,
        "metadata": {"label": score.label, "judge": score.identifier, "ragstone.run": score.run},
    }
    return given(fields)
