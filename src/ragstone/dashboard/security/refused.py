"""The refusal of a request, also while its response is sent: live pages end when their reader loses access."""

from collections.abc import Awaitable, Callable
from time import monotonic

from starlette.types import Message, Send

CHECK_SECONDS = 10.0  # for which a response is sent without asking again for access


class Refused(Exception):  # noqa: N818  (reads as what happened)
    """A request is refused; the message says why, and what to do. `cause` is for the log and not told to the client."""

    def __init__(self, status: int, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.cause = cause


class CheckedStream:
    """Sends a response, and ends it where its reader loses access.

    Attributes:
        refused: why the response was ended; None: it was not.
    """

    def __init__(self, send: Send, check: Callable[[], Awaitable[object]]) -> None:
        """Send by `send`; `check` raises `Refused` once the reader has no access."""
        self.refused: Refused | None = None
        self._send, self._check = send, check
        self._checked = monotonic()

    async def send(self, message: Message) -> None:
        """Send a part of the response.

        Raises:
            OSError: the response was ended; Starlette takes it for a client that has gone.
        """
        if message.get("more_body") and monotonic() - self._checked >= CHECK_SECONDS:
            try:
                await self._check()
            except Refused as refused:
                self.refused = refused
                await self._send({"type": "http.response.body", "body": b"", "more_body": False})
                raise OSError("the reader has no access any more") from refused
            self._checked = monotonic()
        await self._send(message)
