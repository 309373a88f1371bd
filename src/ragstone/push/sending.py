"""Sends scores in sequential requests, and counts the outcomes."""

import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ragstone.errors import JudgeError
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure, clean
from ragstone.providers.http.transport import Transport, open_transport
from ragstone.push import langfuse, mlflow, otlp, phoenix
from ragstone.push.destination import PushAddress
from ragstone.push.requests import PushRefusal, PushRequest, mapping
from ragstone.push.scores import OutgoingScore

_REQUEST_BUILDERS = {"otlp": otlp.requests, "phoenix": phoenix.requests, "langfuse": langfuse.requests}
_REFUSALS = {
    "otlp": otlp.refusal,
    "phoenix": phoenix.refusal,
    "langfuse": langfuse.refusal,
    "mlflow": mlflow.refusal,
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
    counts = _PushCounts()
    traced = counts.counting(scores)
    async with open_transport() as transport:
        sender = _ScoreSender(transport, address)
        if address.destination == "mlflow":
            async for outcome in sender.feedback(traced):
                counts.add(outcome)
        else:
            for request in _REQUEST_BUILDERS[address.destination](traced, address):
                counts.add(await sender.taken(request))
    return counts.outcome()


class _PushCounts:
    """Counts scores and outcomes during a push."""

    def __init__(self) -> None:
        self._totals = PushOutcome()
        self._traced_count = 0

    def counting(self, scores: Iterable[OutgoingScore | None]) -> Iterator[OutgoingScore]:
        """Yield the scores that belong to a trace, and count all."""
        for score in scores:
            if score is None:
                self._totals = replace(self._totals, untraced=self._totals.untraced + 1)
                continue
            self._traced_count += 1
            if score.score is None:
                self._totals = replace(self._totals, without_score=self._totals.without_score + 1)
            yield score

    def add(self, outcome: PushOutcome) -> None:
        """Add the outcome of one request."""
        totals = self._totals
        self._totals = replace(
            totals,
            sent=totals.sent + outcome.sent,
            unchanged=totals.unchanged + outcome.unchanged,
            failed=totals.failed + outcome.failed,
            problem=totals.problem or outcome.problem,
        )

    def outcome(self) -> PushOutcome:
        """Return the totals; traced scores that were not sent, unchanged or failed count as left out."""
        totals = self._totals
        return replace(totals, left_out=self._traced_count - totals.sent - totals.unchanged - totals.failed)


class _ScoreSender:
    """Sends requests to one address."""

    def __init__(self, transport: Transport, address: PushAddress) -> None:
        self._transport = transport
        self._address = address

    async def taken(self, request: PushRequest) -> PushOutcome:
        """Send a request, and return what became of its scores."""
        try:
            _, refusal = await self._send(request)
        except JudgeError as error:
            return PushOutcome(failed=request.scores, problem=str(error))
        if refusal is None:
            return PushOutcome(sent=request.scores)
        sent = request.scores - refusal.scores
        return PushOutcome(sent=sent, failed=refusal.scores, problem=self._problem(refusal))

    async def feedback(self, scores: Iterable[OutgoingScore]) -> AsyncGenerator[PushOutcome]:
        """Yield the outcome of each score in MLflow, after a lookup of the assessments that its trace has."""
        trace_id = ""
        trace_data: dict[str, Any] = {}
        for score in scores:
            if score.target.session is not None:
                continue
            try:
                if mlflow.trace_of(score) != trace_id:
                    trace_data, refusal = await self._send(mlflow.lookup(score, self._address))
                    trace_id = mlflow.trace_of(score) if refusal is None else ""
                    if refusal is not None:
                        yield PushOutcome(failed=1, problem=self._problem(refusal))
                        continue
            except JudgeError as error:
                yield PushOutcome(failed=1, problem=str(error))
                continue
            request = mlflow.request(score, self._address, trace_data)
            yield PushOutcome(unchanged=1) if request is None else await self.taken(request)

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

    def _problem(self, refusal: PushRefusal) -> str:
        """Return the message of a refusal; the server's own words are cleaned."""
        return f"{self._address.destination}: {clean(refusal.reason, self._address.secrets)}"


def _parsed(response: bytes) -> object:
    """Return a reply as decoded JSON; None for an empty one, and a text if it is no JSON."""
    if not response.strip():
        return None
    try:
        return json.loads(response)
    except (ValueError, RecursionError):
        return "not JSON"
