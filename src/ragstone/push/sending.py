"""Sends scores in sequential requests, and counts the outcomes."""

import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from ragstone.errors import JudgeError
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure
from ragstone.providers.http.transport import Transport, open_transport
from ragstone.push import langfuse, mlflow, otlp, phoenix
from ragstone.push.destination import PushAddress
from ragstone.push.requests import PushRequest
from ragstone.push.scores import OutgoingScore

_LISTED = {"otlp": otlp.requests, "phoenix": phoenix.requests, "langfuse": langfuse.requests}


@dataclass(frozen=True, slots=True)
class PushOutcome:
    """Counts of a push.

    Attributes:
        sent: scores, and results marked as not measured, that the destination accepted.
        unchanged: scores that the destination had already.
        unmeasured: results without a score, whether they were sent or left out.
        untraced: results whose test case belongs to no trace.
        left_out: results that the destination cannot store, such as a result without a score in Langfuse.
        failed: scores whose request failed.
        problem: message of the first failure.
    """

    sent: int = 0
    unchanged: int = 0
    unmeasured: int = 0
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
            for request in _LISTED[address.destination](traced, address):
                counts.add(await sender.taken(request))
    return counts.outcome()


class _PushCounts:
    """Counts scores and outcomes during a push."""

    def __init__(self) -> None:
        self._known = PushOutcome()
        self._traced = 0

    def counting(self, scores: Iterable[OutgoingScore | None]) -> Iterator[OutgoingScore]:
        """Yield the scores that belong to a trace, and count all."""
        for score in scores:
            if score is None:
                self._known = replace(self._known, untraced=self._known.untraced + 1)
                continue
            self._traced += 1
            if score.score is None:
                self._known = replace(self._known, unmeasured=self._known.unmeasured + 1)
            yield score

    def add(self, outcome: PushOutcome) -> None:
        """Add the outcome of one request."""
        known = self._known
        self._known = replace(
            known,
            sent=known.sent + outcome.sent,
            unchanged=known.unchanged + outcome.unchanged,
            failed=known.failed + outcome.failed,
            problem=known.problem or outcome.problem,
        )

    def outcome(self) -> PushOutcome:
        """Return the totals; traced scores that were not sent, unchanged or failed count as left out."""
        known = self._known
        return replace(known, left_out=self._traced - known.sent - known.unchanged - known.failed)


class _ScoreSender:
    """Sends requests to one address."""

    def __init__(self, transport: Transport, address: PushAddress) -> None:
        self._transport = transport
        self._address = address

    async def taken(self, request: PushRequest) -> PushOutcome:
        """Send a request, and return what became of its scores."""
        try:
            await self._answer(request)
        except JudgeError as error:
            return PushOutcome(failed=request.scores, problem=str(error))
        return PushOutcome(sent=request.scores)

    async def feedback(self, scores: Iterable[OutgoingScore]) -> AsyncGenerator[PushOutcome]:
        """Yield the outcome of each score in MLflow, after a lookup of the assessments that its trace has."""
        trace = ""
        known: dict[str, Any] = {}
        for score in scores:
            if score.target.session is not None:
                continue
            try:
                if mlflow.trace_of(score) != trace:
                    known = await self._answer(mlflow.lookup(score, self._address))
                    trace = mlflow.trace_of(score)
            except JudgeError as error:
                yield PushOutcome(failed=1, problem=str(error))
                continue
            request = mlflow.request(score, self._address, known)
            yield PushOutcome(unchanged=1) if request is None else await self.taken(request)

    async def _answer(self, request: PushRequest) -> dict[str, Any]:
        """Return the JSON object in the response to a request; an empty mapping if there is none.

        Raises:
            JudgeError: the request was refused, or could not be sent.
        """
        address = self._address
        endpoint = Endpoint(address.destination, "scores", request.url, address.headers, address.secrets)
        body = b"" if request.body is None else json.dumps(request.body).encode()
        kind = address.headers.get("Content-Type", "")
        answer = await self._transport.with_retries(
            endpoint, lambda: self._transport.call(endpoint, request.method, body, kind)
        )
        if isinstance(answer, AttemptFailure):
            raise answer.error()
        try:
            found: Any = json.loads(answer)
        except ValueError:
            return {}
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
