"""How an answer leaves: whole, spoiled, torn in the middle, or not at all."""

import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from tests.servers.faults import Fault, Finish, dumped
from tests.servers.script import Ask


@dataclass(frozen=True)
class Said:
    """What the model says to one question: the answer, its text, how it ended."""

    answer: Mapping[str, Any]
    text: str
    finish: Finish = "stop"
    as_text: bool = False


class Struck(Exception):  # noqa: N818 - not an error of the server: it leads from the planned fault to its delivery
    def __init__(self, fault: Fault, ask: Ask | None = None, said: Said | None = None) -> None:
        super().__init__(fault.name)
        self.fault, self.ask, self.said = fault, ask, said


def spoilt(answer: dict[str, Any], fault: Fault | None) -> Said:
    """What the model says, with the fault that spoils it, if one does."""
    if fault is None:
        return Said(answer, dumped(answer))
    if fault.answer is not None:
        answer = fault.answer(answer)
    text = dumped(answer)
    return Said(
        answer, fault.text(text) if fault.text else text, fault.finish, as_text=fault.text is not None
    )


def reset(request: web.Request) -> None:
    """Close with RST: a lingering time of zero throws away what is unsent."""
    if request.transport is None:
        return
    connection = request.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()


async def truncated(request: web.Request, body: bytes) -> web.StreamResponse:
    """Promise the whole body, send half of it, close."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(body)
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response
