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

from ragstone.applications.call import ApplicationCall
from ragstone.applications.http import parse_reply
from ragstone.errors import ApplicationError
from ragstone.providers.http.failures import clean

_MAX_ERROR = 200


class CommandCaller:
    """Starts a command.

    Attributes:
        name: the command, without keys.
        source: empty: a change of a program is not seen.
    """

    source = ""
    takes_turns = True

    def __init__(self, command: str) -> None:
        """Start `command`, split like in a shell; no shell is started."""
        self.name = clean(command)
        self._words = shlex.split(command)

    async def call(self, call: ApplicationCall) -> object:
        """Return the JSON of the last line that the command writes.

        Raises:
            ApplicationError: it cannot be started, ends with an error, or writes no JSON.
        """
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
            output, errors = await process.communicate(line)
        finally:
            await _end(process)
        if process.returncode:
            last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise ApplicationError(
                f"{self._words[0]} ended with {process.returncode}: {clean(last)[:_MAX_ERROR] or 'no message'}"
            )
        return parse_reply(output.strip().rpartition(b"\n")[2], f"the last line of {self._words[0]}")


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process that still runs, with what it has started."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()
