"""Send the scores of a run to the traces that were evaluated: OTLP, Phoenix, Langfuse, MLflow.

There is one module for each destination. Requests go only to the address that the user gave. The id of a score is made
from its target, judge and metric, so that a second push changes nothing. A failed measurement is never sent as a score.
"""

from ragstone.push.destination import DESTINATIONS, PushAddress, find_address
from ragstone.push.scores import OutgoingScore, ScoreTarget, outgoing_scores
from ragstone.push.sending import PushOutcome, push_scores

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
