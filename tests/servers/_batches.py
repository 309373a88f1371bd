"""What the batches of all vendors have in common: they take a while, come back in another order, and not all of them.

A shop belongs to a server. A test reads what was submitted and plans what goes wrong; the vendor's own file knows
paths, rules and shapes.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from tests.servers._delivery import Struck
from tests.servers._traffic import WireError
from tests.servers.faults import reset

Fate = Literal["expired", "cancelled", "missing", "failed"]


@dataclass
class Batch:
    """One batch as it was submitted.

    Attributes:
        id: its name.
        requests: bodies by custom id, in the order of submission.
        begun: when, by the monotonic clock.
        created: when, by the calendar.
        metadata: what was sent along with it.
        cancelled: whether its cancellation was asked for.
        outcomes: what became of each request, once it has ended: a status and a body, or a fate.
    """

    id: str
    requests: dict[str, Any]
    begun: float = field(default_factory=time.monotonic)
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    metadata: Mapping[str, str] | None = None
    cancelled: bool = False
    outcomes: dict[str, tuple[int, Any] | Fate] = field(default_factory=dict)


@dataclass
class _Planned:
    fate: Fate
    pattern: re.Pattern[str]
    times: int


class BatchShop:
    """Takes batches, and answers them after `delay` seconds.

    Attributes:
        delay: seconds from the submission to the end.
        made: the batches, in order.
        unheard: so many submissions that succeed break the connection instead of saying so.
        hesitation: seconds from a submission's success to the answer that says so.
        most_requests: of a batch.
        most_bytes: likewise.
    """

    most_requests = 50_000
    most_bytes = 200_000_000

    def __init__(self, answer: Callable[[Any], Awaitable[Any]]) -> None:
        self._answer = answer
        self.delay = 0.0
        self.made: list[Batch] = []
        self.unheard = 0
        self.hesitation = 0.0
        self._planned: list[_Planned] = []

    @property
    def submitted(self) -> list[str]:
        """The custom ids of all that was submitted, those of requests that came twice twice."""
        return [key for batch in self.made for key in batch.requests]

    @property
    def bodies(self) -> list[str]:
        """All that was submitted, as text."""
        return [repr(body) for batch in self.made for body in batch.requests.values()]

    def plan(self, fate: Fate, matching: str = "", times: int = 1) -> None:
        """Let requests whose text matches meet with a fate, so many of them."""
        self._planned.append(_Planned(fate, re.compile(matching, re.DOTALL), times))

    async def accept(self, batch: Batch) -> None:
        """Take a batch, and say so or not."""
        self.made.append(batch)
        await asyncio.sleep(self.hesitation)
        if self.unheard:
            self.unheard -= 1
            raise Struck(reset())

    def find(self, name: str) -> Batch | None:
        return next((batch for batch in self.made if batch.id == name), None)

    def age(self, batch: Batch) -> float:
        """How much of its time has passed: from 0 to 1."""
        if not self.delay:
            return 1.0
        return min(1.0, (time.monotonic() - batch.begun) / self.delay)

    async def work(self, batch: Batch) -> bool:
        """Answer what is due of a batch; whether it has ended."""
        age = self.age(batch)
        if age < 1 and not batch.cancelled:
            return False
        for key, body in batch.requests.items():
            if key not in batch.outcomes:
                batch.outcomes[key] = "cancelled" if batch.cancelled else await self._outcome(body)
        return True

    def results(self, batch: Batch) -> Iterator[tuple[str, tuple[int, Any] | Fate]]:
        """What became of each request, in another order than they came in."""
        return reversed(batch.outcomes.items())

    async def _outcome(self, body: Any) -> tuple[int, Any] | Fate:
        text = repr(body)
        for planned in self._planned:
            if planned.times and planned.pattern.search(text):
                planned.times -= 1
                return planned.fate
        try:
            return 200, await self._answer(body)
        except WireError as error:
            return error.status, error
        except Struck as struck:
            status = struck.fault.status or 500
            return status, WireError(status, struck.fault.message)
