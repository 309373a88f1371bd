"""Sends scores in sequential requests, and counts the outcomes."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ragstone.errors import JudgeError
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure, clean
from ragstone.providers.http.transport import Transport, open_transport
from ragstone.push.destination import PushAddress
from ragstone.push.langfuse import refusal as langfuse_refusal
from ragstone.push.langfuse import requests as langfuse_requests
from ragstone.push.mlflow import lookup, trace_of
from ragstone.push.mlflow import refusal as mlflow_refusal
from ragstone.push.mlflow import request as mlflow_request
from ragstone.push.otlp import refusal as otlp_refusal
from ragstone.push.otlp import requests as otlp_requests
from ragstone.push.phoenix import refusal as phoenix_refusal
from ragstone.push.phoenix import requests as phoenix_requests
from ragstone.push.requests import PushRefusal, PushRequest, mapping
from ragstone.push.scores import OutgoingScore

_REQUESTS = {"otlp": otlp_requests, "phoenix": phoenix_requests, "langfuse": langfuse_requests}
_REFUSALS = {
    "otlp": otlp_refusal,
    "phoenix": phoenix_refusal,
    "langfuse": langfuse_refusal,
    "mlflow": mlflow_refusal,
}


@dataclass(frozen=True, slots=True)
class PushOutcome:
    """Counts of a push.

    Attributes:
        sent: scores, and results marked as not measured, that the destination accepted.
        unchanged: scores that the destination had already.
        without_score: results without a score, whether they were sent or left out.
        untraced: results whose test case belongs to no trace.
        left_out: results that the destination cannot store, such as a result without a score in Langfuse.
        failed: scores whose request failed.
        problem: message of the first failure.
    """

    sent: int = 0
    unchanged: int = 0
    without_score: int = 0
    untraced: int = 0
    left_out: int = 0
    failed: int = 0
    problem: str | None = None


async def push_scores(scores: Iterable[OutgoingScore | None], address: PushAddress) -> PushOutcome:
    """Send scores to an address.

    A refused request does not stop the others. Requests are retried after rate limits and server errors.

    Args:
        scores: as `outgoing_scores` yields them; None for a result without a trace.
        address: the address of the destination.
    """
    async with open_transport() as transport:
        sender = _ScoreSender(transport, address)
        traced = sender.traced(scores)
        if address.destination == "mlflow":
            await sender.send_feedback(traced)
        else:
            for request in _REQUESTS[address.destination](traced, address):
                await sender.send_scores(request)
    return sender.outcome()


class _ScoreSender:
    """Sends requests to one address, and counts what became of the scores, by the names of `PushOutcome`."""

    def __init__(self, transport: Transport, address: PushAddress) -> None:
        self._transport = transport
        self._address = address
        self._counts = Counter[str]()
        self._problem: str | None = None

    def traced(self, scores: Iterable[OutgoingScore | None]) -> Iterator[OutgoingScore]:
        """Yield the scores that belong to a trace, and count all."""
        for score in scores:
            self._counts["untraced" if score is None else "traced"] += 1
            if score is not None:
                self._counts["without_score"] += score.score is None
                yield score

    def outcome(self) -> PushOutcome:
        """Return the counts; traced scores that were not sent, unchanged or failed count as left out."""
        counts = self._counts.copy()
        left_out = counts.pop("traced", 0) - counts["sent"] - counts["unchanged"] - counts["failed"]
        return PushOutcome(**counts, left_out=left_out, problem=self._problem)

    async def send_scores(self, request: PushRequest) -> None:
        """Send a request, and count what became of its scores."""
        failed = 0
        try:
            _, refusal = await self._send(request)
        except JudgeError as error:
            failed = self._fail(request.scores, str(error))
        else:
            if refusal is not None:
                failed = self._refuse(refusal)
        self._counts["sent"] += request.scores - failed

    async def send_feedback(self, scores: Iterable[OutgoingScore]) -> None:
        """Send each score to MLflow, after a lookup of the assessments that its trace has."""
        trace_id = ""
        trace_data: dict[str, Any] = {}
        for score in scores:
            if score.target.session is not None:
                continue
            try:
                if trace_of(score) != trace_id:
                    trace_data, refusal = await self._send(lookup(score, self._address))
                    trace_id = trace_of(score) if refusal is None else ""
                    if refusal is not None:
                        self._refuse(replace(refusal, scores=1))
                        continue
            except JudgeError as error:
                self._fail(1, str(error))
                continue
            request = mlflow_request(score, self._address, trace_data)
            if request is None:
                self._counts["unchanged"] += 1
            else:
                await self.send_scores(request)

    def _refuse(self, refusal: PushRefusal) -> int:
        reason = clean(refusal.reason, self._address.secrets)
        return self._fail(refusal.scores, f"{self._address.destination}: {reason}")

    def _fail(self, scores: int, problem: str) -> int:
        """Count failed scores, keep the first problem, and return how many they are."""
        self._counts["failed"] += scores
        self._problem = self._problem or problem
        return scores

    async def _send(self, request: PushRequest) -> tuple[dict[str, Any], PushRefusal | None]:
        """Return the JSON object in the reply to a request, and what it says was refused.

        Raises:
            JudgeError: the request was refused, or could not be sent.
        """
        address = self._address
        endpoint = Endpoint(address.destination, "scores", request.url, address.headers, address.secrets)
        body = b"" if request.body is None else json.dumps(request.body).encode()
        response = await self._transport.send(endpoint, body, request.method)
        if isinstance(response, AttemptFailure):
            raise response.error()
        reply = _parsed(response)
        return mapping(reply), _REFUSALS[address.destination](reply, request)


def _parsed(response: bytes) -> object:
    """Return a reply as decoded JSON; None for an empty one, and a text if it is no JSON."""
    if not response.strip():
        return None
    try:
        return json.loads(response)
    except (ValueError, RecursionError):
        return "not JSON"
