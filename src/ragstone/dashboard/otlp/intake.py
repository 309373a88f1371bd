"""Handle one OTLP request: check its limits, parse it, store it, respond. Acknowledged records are in the store."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any

from starlette.responses import Response

from ragstone.dashboard.otlp import body as bodies
from ragstone.dashboard.services.feedback import FeedbackIntake
from ragstone.errors import MissingExtra
from ragstone.store.queue.intake import PutCounts, TooMuchToStore
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.read.audit_log import AuditLog
from ragstone.store.read.tokens import AccessTokens
from ragstone.store.schema.connect import DATABASE_ERRORS, database_message
from ragstone.traces.otlp import BadSpan, iter_records
from ragstone.traces.span import Record

_MAX_SHOWN_PROBLEMS = 3
_COUNT_INTERVAL_SECONDS = 0.5
COUNTED = ("requests", "stored", "repeated", "left_out", "refused", "failed")
"""Requests that could be read, and their records; those refused or failed, whose senders were told to repeat them."""


@dataclass(frozen=True, slots=True)
class IntakeLimits:
    """Limits of the receiver.

    Attributes:
        waiting: traces that may wait to be judged, and bytes of their records; further requests get status 429.
        body: bytes of a decompressed request.
        values: values in a request, such as spans, attributes and elements of lists.
        stored: bytes of all records of a request as JSON; each span repeats the attributes of its resource.
        record: bytes of one span as JSON; larger ones are left out and reported.
        retry_after: seconds that senders are asked to wait.
    """

    waiting: int = 50_000
    waiting_bytes: int = 4_000 * bodies.MEGABYTE
    body: int = 64 * bodies.MEGABYTE
    values: int = 1_000_000
    stored: int = 128 * bodies.MEGABYTE
    record: int = 4 * bodies.MEGABYTE
    retry_after: int = 5


class Intake:
    """Receives requests. Its methods block, and may be called from several threads."""

    def __init__(self, queue: TraceQueue, limits: IntakeLimits = IntakeLimits()) -> None:
        self.feedback = FeedbackIntake(queue, queue.redaction)
        self.tokens, self.audit_log = AccessTokens(queue.engine), AuditLog(queue.engine)
        self.queue = queue
        self._limits = limits
        self._counts: dict[str, int] = dict.fromkeys(COUNTED, 0)
        self._lock = Lock()
        self._queue_is_full = False
        self._last_count_time = float("-inf")

    def receive(
        self,
        signal: str,
        body: bytes | bytearray,
        content_type: str,
        encoding: str = "",
        *,
        most: int | None = None,
    ) -> Response | None:
        """Store the records of a request of `traces` or `logs`, and return the response.

        With `most`: return None, without any effect, if the decompressed body has more bytes.
        """
        media_type = content_type.partition(";")[0].strip().lower()
        if media_type not in (bodies.PROTOBUF, bodies.JSON):
            problem = (
                f"Content-Type {content_type[:60]!r} is not OTLP: send {bodies.PROTOBUF} or {bodies.JSON}."
            )
            return failure(415, bodies.JSON, problem)
        most = self._limits.body if most is None else most
        try:
            if self._is_full():
                self._add(refused=1)
                problem = "Too many traces are waiting to be judged. Retry later."
                return self.retry_later(429, media_type, problem)
            result, problems = self._put(signal, bodies.decompress(body, encoding, most), media_type)
        except bodies.BadBody as error:
            if isinstance(error, bodies.BodyTooLarge) and most < self._limits.body:
                return None
            return failure(error.status, media_type, str(error))
        except DATABASE_ERRORS as error:
            self._add(failed=1)
            return self.retry_later(503, media_type, database_message(error))
        self._add(requests=1, stored=result.stored, repeated=result.repeated, left_out=len(problems))
        more = (
            f"; and {len(problems) - _MAX_SHOWN_PROBLEMS} more" if len(problems) > _MAX_SHOWN_PROBLEMS else ""
        )
        text = "; ".join(problems[:_MAX_SHOWN_PROBLEMS]) + more
        answer = bodies.encode_answer(media_type, signal, len(problems), text)
        return Response(answer, media_type=media_type)

    def _put(self, signal: str, body: bytes | bytearray, media_type: str) -> tuple[PutCounts, list[str]]:
        limits, problems = self._limits, list[str]()
        try:
            records = _records(bodies.decode_body(body, media_type, signal, limits.values), problems)
            result = self.queue.put(records, largest=limits.record, total=limits.stored)
        except TooMuchToStore as error:
            raise bodies.BadBody(413, f"{error} Send fewer spans in a request.") from error
        except MissingExtra as error:
            raise bodies.BadBody(415, f"{error}, or send JSON.") from error
        return result, [*problems, *result.large]

    def status(self) -> dict[str, dict[str, int]]:
        """Return the counts since the start, and those of the queue."""
        return {"received": self.counts(), "queue": asdict(self.queue.counts())}

    def counts(self) -> dict[str, int]:
        """Return the counts since the start, by the names of `COUNTED`."""
        with self._lock:
            return self._counts.copy()

    def _is_full(self) -> bool:
        """Return whether the queue is full; it is counted at most twice a second."""
        now = time.monotonic()
        with self._lock:
            if now - self._last_count_time < _COUNT_INTERVAL_SECONDS:
                return self._queue_is_full
            self._last_count_time = now
        counts = self.queue.counts()
        limits = self._limits
        self._queue_is_full = counts.waiting >= limits.waiting or counts.waiting_bytes >= limits.waiting_bytes
        return self._queue_is_full

    def _add(self, **counts: int) -> None:
        with self._lock:
            for name, count in counts.items():
                self._counts[name] += count

    def retry_later(self, status: int, media_type: str, message: str) -> Response:
        """Return a refusal after which the sender repeats the request."""
        answer = failure(status, media_type, message)
        answer.headers["Retry-After"] = str(self._limits.retry_after)
        return answer


def failure(status: int, media_type: str, message: str) -> Response:
    """Return a refusal."""
    return Response(bodies.encode_failure(media_type, message), status, media_type=media_type)


def _records(requests: Iterable[dict[str, Any]], problems: list[str]) -> Iterator[Record]:
    """Yield the records of the parts of a request one at a time; add a line to `problems` for each unreadable one."""
    for request in requests:
        for item in iter_records(request):
            if isinstance(item, BadSpan):
                problems.append(str(item))
            else:
                yield item
