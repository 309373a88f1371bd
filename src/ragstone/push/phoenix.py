"""Phoenix: annotations of traces and spans.

Source: Phoenix' REST API, `POST /v1/trace_annotations` and `POST /v1/span_annotations`. An annotation replaces an
existing one with the same name, target and identifier.
"""

from collections.abc import Iterable
from typing import Any

from ragstone.push.destination import PushAddress
from ragstone.push.requests import PushRefusal, PushRequest, batches, given, mapping, mappings, url_below
from ragstone.push.scores import OutgoingScore

_BATCH_SIZE = 100


def requests(scores: Iterable[OutgoingScore], address: PushAddress) -> Iterable[PushRequest]:
    """Yield requests of up to 100 annotations. Scores of sessions are left out: Phoenix has no session annotations."""
    for batch in batches((score for score in scores if score.target.session is None), _BATCH_SIZE):
        for whole, path in ((True, "trace_annotations"), (False, "span_annotations")):
            selected = [score for score in batch if score.target.whole is whole]
            if selected:
                body = {"data": [_annotation(score) for score in selected]}
                yield PushRequest(
                    "POST", url_below(address.url, f"v1/{path}", "sync=true"), body, len(selected)
                )


def refusal(reply: object, request: PushRequest) -> PushRefusal | None:
    """Return how many annotations have no id in a reply; None if each has one."""
    stored = sum(bool(item.get("id")) for item in mappings(mapping(reply).get("data")))
    missing = request.scores - stored
    return PushRefusal(missing, "the reply does not confirm all annotations") if missing > 0 else None


def _annotation(score: OutgoingScore) -> dict[str, Any]:
    target = score.target
    result = {"label": score.label, "score": score.score, "explanation": score.explanation}
    return {
        **({"trace_id": target.trace} if target.whole else {"span_id": target.span}),
        "name": score.name,
        "annotator_kind": score.kind,
        "result": given(result),
        "metadata": {"ragstone.run": score.run},
        "identifier": score.identifier,
    }
