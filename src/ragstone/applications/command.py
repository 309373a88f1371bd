"""An application that is a command: one line of JSON on its standard input, one line of JSON on its standard output.

The command is started for each question, in a session of its own, and ended with everything it started when it takes
too long.
"""

import asyncio
import json
import os
import shlex
import signal
from contextlib import suppress
from typing import cast

from ragstone.applications.call import ApplicationCall
from ragstone.applications.http import parse_reply
from ragstone.errors import ApplicationError
from ragstone.providers.http.failures import clean

_MAX_ERROR = 200
_MAX_OUTPUT = 16 * 2**20
_CHUNK = 1 << 16
_END_SECONDS = 2.0


class CommandCaller:
    """Starts a command."""

    source = ""
    takes_turns = True

    def __init__(self, command: str) -> None:
        """Start `command`, split like in a shell; no shell is started."""
        self.name = clean(command)
        self._words = shlex.split(command)

    async def call(self, call: ApplicationCall) -> object:
        """Return the JSON of the last line that the command writes."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
                env=None if call.traceparent is None else {**os.environ, "TRACEPARENT": call.traceparent},
            )
        except OSError as error:
            raise ApplicationError(
                f"{self._words[0]} cannot be started: {error.strerror or error}"
            ) from error
        line = json.dumps(call.fields()).encode() + b"\n"
        try:
            output, errors = await _exchange(process, line)
        except BaseException:
            await _end(process)
            raise
        if process.returncode:
            last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise ApplicationError(
                f"{self._words[0]} ended with {process.returncode}: {clean(last)[:_MAX_ERROR] or 'no message'}"
            )
        return parse_reply(output.strip().rpartition(b"\n")[2], f"the last line of {self._words[0]}")


async def _exchange(process: asyncio.subprocess.Process, line: bytes) -> tuple[bytes, bytes]:
    """Send a line to a process, and return what it writes to its output and to its errors."""
    stdin = cast("asyncio.StreamWriter", process.stdin)
    stdin.write(line)
    stdin.close()
    try:
        async with asyncio.TaskGroup() as reads:
            output = reads.create_task(_read(process.stdout))
            errors = reads.create_task(_read(process.stderr))
    except ExceptionGroup as problems:
        raise problems.exceptions[0] from None
    await process.wait()
    return output.result(), errors.result()


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    output = bytearray()
    while stream and (chunk := await stream.read(_CHUNK)):
        output += chunk
        if len(output) > _MAX_OUTPUT:
            raise ApplicationError(f"it wrote more than {_MAX_OUTPUT // 2**20} MiB: write one line of JSON")
    return bytes(output)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process with what it has started, which may run on when the process itself has ended."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    # asyncio waits for the end of the pipes too: they are emptied, and a process that has left the group may keep them.
    with suppress(TimeoutError):
        async with asyncio.timeout(_END_SECONDS):
            await process.communicate()
