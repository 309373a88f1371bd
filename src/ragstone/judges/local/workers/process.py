"""One worker process, from the side of the run: it takes prompts and returns the replies in the same order.

It is a fresh interpreter, not a fork: a run has threads, and a fork of a process with threads may hang. It does not
import the program that called `evaluate`, as `multiprocessing` would, so `if __name__ == "__main__"` is not required.
"""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from asyncio.subprocess import Process
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ragstone.judges.local.workers.frames import HEADER_SIZE, pack, unpack
from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import Prompt

_PROGRAM = (
    "import sys; from pickle import load; sys.path[:] = load(sys.stdin.buffer); "
    "from ragstone.judges.local.workers.child import main; main()"
)
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

_KILL_SIGNAL = getattr(signal, "SIGKILL", signal.SIGTERM)
_EVIDENCE_FIELDS = ("source", "passages", "contexts", "evidence_texts")


@dataclass(slots=True, eq=False)
class PendingAnswer:
    """A prompt that waits for its answer.

    Prompts of one `evidence_hash` (0: none) share passages, which a process analyses once. `lost_workers` is the number
    of processes that ended while they worked on it.
    """

    frame: bytes
    prompt_class: str
    evidence_hash: int
    answer: "asyncio.Future[Answer]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    lost_workers: int = 0

    @classmethod
    def of(cls, prompt: Prompt[Any]) -> "PendingAnswer":
        """Return the pending answer to a prompt."""
        texts = next((value for name in _EVIDENCE_FIELDS if (value := getattr(prompt, name, None))), ())
        return cls(pack(prompt), type(prompt).__name__, hash(tuple(texts)) if texts else 0)

    def settle(self, reply: Answer | Exception) -> None:
        """Set the result of `answer`, unless it is done already."""
        if self.answer.done():
            return
        if isinstance(reply, Exception):
            self.answer.set_exception(reply)
        else:
            self.answer.set_result(reply)


class WorkerProcess:
    """A process that answers one prompt after another.

    Attributes:
        in_flight: prompts that were sent and not yet answered, in order; the process works on the first.
    """

    def __init__(self, process: Process) -> None:
        """Wrap a process that was just started."""
        self._process = process
        self.in_flight: deque[PendingAnswer] = deque()

    @classmethod
    async def launch(cls) -> "WorkerProcess":
        """Start a process and wait until it can answer.

        Raises:
            OSError: it cannot be started.
            EOFError: it ended before it was ready.
        """
        group_options: dict[str, Any] = (
            {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
            if sys.platform == "win32"
            else {"process_group": 0}  # Ctrl-C in the terminal interrupts the run, which ends its workers
        )
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # else the first modules would come from the current folder
            "-c",
            _PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | dict.fromkeys(_THREAD_VARIABLES, "1"),
            **group_options,
        )
        worker = cls(process)
        try:
            worker._write(pickle.dumps(sys.path))
            await worker.receive()
        except BaseException:
            await worker.close()
            raise
        return worker

    def send(self, pending: PendingAnswer) -> None:
        """Send a prompt, which stays in flight until its reply is received."""
        self.in_flight.append(pending)
        self._write(pending.frame)

    async def receive(self) -> Any:  # noqa: ANN401  (an answer or an exception)
        """Return the next reply.

        Raises:
            EOFError: the process has ended.
        """
        stdout = self._process.stdout
        if stdout is None:
            raise AssertionError
        try:
            length = int.from_bytes(await stdout.readexactly(HEADER_SIZE), "little")
            return unpack(await stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise EOFError("the worker process has ended") from error

    def kill(self) -> None:
        """End the process at once; it has no state that must be saved."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):  # asyncio's own `kill` may take the exit code from its watcher
                os.kill(self._process.pid, _KILL_SIGNAL)

    async def close(self) -> str:
        """End the process, wait until it has ended, and return how: `signal SIGKILL`, `exit code 1`."""
        self.kill()
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is not None:
            stdin.close()
            with suppress(ConnectionError):
                await stdin.wait_closed()
        if stdout is not None:
            with suppress(ConnectionError):
                await stdout.read()  # read to the end, which closes the pipe
        code = await self._process.wait()
        with suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
        return f"exit code {code}"

    def _write(self, data: bytes) -> None:
        """Write data to the pipe; if the process has ended, this is detected when its reply is awaited."""
        stdin = self._process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(data)
