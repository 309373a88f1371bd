"""One way to the servers for a whole run: one session, one pool, one memory of what servers turn down.

The runner opens it; every provider and embedder used inside finds it by itself, and opens a short-lived one
where there is none. So providers stay plain frozen values that can be compared, pickled and sent to another
machine.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from ragstone.providers.http.failures import AttemptFailure
from ragstone.providers.http.retry import Overload, OverloadHook, Retry, with_retries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragstone.providers.batches.api import BatchApi
    from ragstone.providers.batches.scheduler import BatchScheduler
    from ragstone.providers.http.session import HttpSession

T = TypeVar("T")
DEFAULT_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a kind of call goes.

    Attributes:
        provider: the vendor, for messages.
        model: the model, for messages.
        url: the full address.
        headers: what each call carries; never shown.
        secrets: what no message may show.
        batches: how the vendor takes many such calls at once, None where it does not.
    """

    provider: str
    model: str
    url: str
    headers: "Mapping[str, str]" = field(default_factory=dict[str, str], repr=False, hash=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    batches: "BatchApi | None" = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Transport:
    """An open way to the servers, bound to the event loop that it was opened on.

    Attributes:
        timeout: seconds for one attempt.
        retry: how often to ask again.
        on_overload: called each time a server asks to slow down.
        dispatch: takes the calls that may travel in batches; None where each is made at once.
    """

    timeout: float = DEFAULT_TIMEOUT
    retry: Retry = field(default_factory=Retry)
    on_overload: Callable[[Overload], None] | None = None
    batch_scheduler: "BatchScheduler | None" = None
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop, repr=False)
    _exit: AsyncExitStack = field(default_factory=AsyncExitStack, repr=False)
    _closed: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    _sessions: "list[HttpSession]" = field(default_factory=list["HttpSession"], repr=False)
    _unsupported: dict[tuple[str, str], frozenset[str]] = field(
        default_factory=dict[tuple[str, str], frozenset[str]], repr=False
    )

    async def send(self, endpoint: Endpoint, body: bytes) -> bytes | AttemptFailure:
        """Return the body of the answer to a POST, or why there is none, tried as often as is worth it."""
        if self.batch_scheduler is not None and endpoint.batches is not None:
            return await self.batch_scheduler.send(self, endpoint, body)
        wire = await self._http_session()
        return await self.with_retries(
            endpoint, lambda: wire.post(endpoint, body), lambda: wire.knows(endpoint)
        )

    async def call(self, endpoint: Endpoint, method: str, body: bytes, kind: str) -> bytes | AttemptFailure:
        """Make one call of any method, which may carry a file of that media type, or bring one."""
        wire = await self._http_session()
        return await wire.call(endpoint, method, body, kind)

    async def with_retries(
        self,
        endpoint: Endpoint,
        attempt: Callable[[], Awaitable[T | AttemptFailure]],
        known: Callable[[], bool] = lambda: True,
    ) -> T | AttemptFailure:
        """Return what `attempt` brings, tried as often as is worth it at a server `known` or not."""
        told = OverloadHook(self.on_overload, endpoint.provider, endpoint.model)
        return await with_retries(attempt, self.retry, told, known)

    def unsupported_parameters(self, url: str, model: str) -> frozenset[str]:
        """Return the parameters that this server turned down for this model."""
        return self._unsupported.get((url, model), frozenset())

    def mark_unsupported(self, url: str, model: str, parameter: str) -> None:
        """Leave a parameter out of further calls."""
        self._unsupported[url, model] = self.unsupported_parameters(url, model) | {parameter}

    def usable_here(self) -> bool:
        """Tell whether this is open, and the running event loop is the one that it was opened on."""
        return not self._closed.is_set() and self._loop is asyncio.get_running_loop()

    async def aclose(self) -> None:
        """Close every connection."""
        self._closed.set()
        await self._exit.aclose()

    async def _http_session(self) -> "HttpSession":
        if not self._sessions:
            # Importing aiohttp takes longer than all of ragstone: a run that calls nobody does without.
            from ragstone.providers.http.session import open_http_session  # noqa: PLC0415

            self._sessions.append(await self._exit.enter_async_context(open_http_session(self.timeout)))
        return self._sessions[0]


_EXTRA_HEADERS: ContextVar["Mapping[str, str]"] = ContextVar("ragstone_carried")


@contextmanager
def sending_headers(headers: "Mapping[str, str]") -> Generator[None]:
    """Send `headers` along with every call made inside, such as the trace that the calls belong to."""
    token = _EXTRA_HEADERS.set(headers)
    try:
        yield
    finally:
        _EXTRA_HEADERS.reset(token)


def extra_headers() -> "Mapping[str, str]":
    """Return the headers that calls made here carry besides their own."""
    return _EXTRA_HEADERS.get({})


_CURRENT: ContextVar[Transport | None] = ContextVar("ragstone_transport", default=None)


@asynccontextmanager
async def open_transport(
    *,
    timeout: float = DEFAULT_TIMEOUT,  # noqa: ASYNC109  (of each attempt, not of this function)
    retry: Retry | None = None,
    on_overload: Callable[[Overload], None] | None = None,
    batch_scheduler: "BatchScheduler | None" = None,
) -> AsyncGenerator[Transport]:
    """Open the way that every provider and embedder used inside shares.

    Args:
        timeout: seconds for one attempt; a late one is tried once more.
        retry: how often to ask again.
        on_overload: called each time a server asks to slow down; it must not block.
        dispatch: takes the calls that may travel in batches.
    """
    transport = Transport(timeout, retry or Retry(), on_overload, batch_scheduler)
    token = _CURRENT.set(transport)
    try:
        yield transport
    finally:
        _CURRENT.reset(token)
        await transport.aclose()


def borrow_transport() -> AbstractAsyncContextManager[Transport]:
    """Give the open transport of this event loop, or one for the time of the block."""
    transport = current_transport()
    return open_transport() if transport is None else nullcontext(transport)


def current_transport() -> Transport | None:
    """Return the transport that is open here, None where there is none or another event loop has it."""
    transport = _CURRENT.get()
    try:
        return transport if transport is not None and transport.usable_here() else None
    except RuntimeError:  # no event loop runs
        return transport


async def post_json(endpoint: Endpoint, body: bytes) -> bytes:
    """Return the body of the answer to a POST of JSON, asking again where that can help.

    Raises:
        AccessRefused: 401 or 403.
        ProviderError: the server refused, failed or could not be reached.
        TimedOut: no answer in time.
    """
    async with borrow_transport() as transport:
        answer = await transport.send(endpoint, body)
    if isinstance(answer, AttemptFailure):
        raise answer.error()
    return answer
