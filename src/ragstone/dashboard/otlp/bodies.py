"""The bodies of requests in memory: together they have a limit, and the largest gives way.

A sender that stalls in the middle of its body keeps what it has sent in memory, but no slot. When the limit is reached,
the largest body is dropped and its sender is told to repeat the request. So small requests are received whatever others
do.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


class BodyDropped(Exception):  # noqa: N818  (reads as what happened)
    """A body was dropped because others needed its place."""


@dataclass(eq=False, slots=True)
class HeldBody:
    """The body of one request; its deadline ends the request when the body is dropped."""

    content: bytearray = field(default_factory=bytearray)
    deadline: asyncio.Timeout = field(default_factory=lambda: asyncio.timeout(None))
    is_dropped: bool = False


class BodyLimit:
    """Limits the bodies of all requests of a server together; used in one event loop."""

    def __init__(self, most: int) -> None:
        """Hold at most `most` bytes."""
        self._most = most
        self._size = 0
        self._held: set[HeldBody] = set()

    @asynccontextmanager
    async def hold(self, chunks: AsyncIterable[bytes]) -> AsyncGenerator[bytearray]:
        """Read a body, and hold it until the end of the block.

        Raises:
            BodyDropped: it was dropped while it was read, or in the block.
        """
        held = HeldBody()
        self._held.add(held)
        try:
            async with held.deadline:
                async for chunk in chunks:
                    self._add(held, chunk)
                yield held.content
        except TimeoutError:
            if held.is_dropped:
                raise BodyDropped from None
            raise
        finally:
            self._held.discard(held)
            self._size -= 0 if held.is_dropped else len(held.content)

    def _add(self, held: HeldBody, chunk: bytes) -> None:
        held.content += chunk
        self._size += len(chunk)
        while self._size > self._most:
            largest = max(self._held, key=lambda body: 0 if body.is_dropped else len(body.content))
            self._size -= len(largest.content)
            largest.is_dropped = True
            if largest is held:
                raise BodyDropped
            largest.content = bytearray()
            largest.deadline.reschedule(asyncio.get_running_loop().time())
