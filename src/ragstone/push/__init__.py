"""Send the scores of a run back to the traces that were evaluated: OTLP, Phoenix, Langfuse, MLflow.

One file a destination. Each sends to an address that the user named, and to nothing else. A score has an id made from
what it is of, so that a second push changes nothing. What could not be measured is never sent as a score.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.push.destination import DESTINATIONS, PushAddress, find_address
    from ragstone.push.scores import OutgoingScore, ScoreTarget, outgoing_scores
    from ragstone.push.sending import PushOutcome, push_scores

_PLACES = {
    "DESTINATIONS": "ragstone.push.destination",
    "OutgoingScore": "ragstone.push.scores",
    "PushAddress": "ragstone.push.destination",
    "PushOutcome": "ragstone.push.sending",
    "ScoreTarget": "ragstone.push.scores",
    "find_address": "ragstone.push.destination",
    "outgoing_scores": "ragstone.push.scores",
    "push_scores": "ragstone.push.sending",
}

__all__ = [
    "DESTINATIONS",
    "OutgoingScore",
    "PushAddress",
    "PushOutcome",
    "ScoreTarget",
    "find_address",
    "outgoing_scores",
    "push_scores",
]

__getattr__ = lazy_exports(__name__, _PLACES)
