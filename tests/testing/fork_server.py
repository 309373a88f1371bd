"""Forks processes that have already imported what their commands need: Python's imports cost a second of CPU each time.

    python -m tests.testing.fork_server SOCKET MODULE...

The server imports the modules and listens on a Unix socket until its standard input ends. A request is a Python literal
on a line of its own, (argv, folder, variables), sent with the descriptors of the new process's standard streams; the
answer is its number, and at its end its exit code, a line each. What is run is a process of its own, with its own
streams, folder, variables, signals and exit code: only the start is not the real one. Tests of the start
start a real one.
"""

import ast
import atexit
import gc
import os
import random
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module, invalidate_caches
from pathlib import Path
from runpy import run_module, run_path

Request = tuple[list[str], str, dict[str, str]]
"""Arguments, folder and variables of a process; the first argument is a script, or `-m` before a module."""
_STREAMS = 3
_LONGEST = 1 << 20


def main(place: str, *modules: str) -> None:
    """Import the modules, then fork a process for each request."""
    paths = [path for path in sys.path if path not in _python_path(os.environ)]
    for module in modules:
        import_module(module)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started the server ends it
    gc.collect()
    gc.freeze()  # the collector would write to what the processes share, and so copy it
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{place}.part")
        listener.listen(64)
        Path(f"{place}.part").rename(place)  # whoever wants the server waits for it
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _supervise(connection, paths)
            connection.close()
            _reap()


def _supervise(connection: socket.socket, paths: list[str]) -> None:
    """Run the command of a connection in a process, and send its exit code; kill it where nobody waits for it."""
    message, streams, _, _ = socket.recv_fds(connection, _LONGEST, _STREAMS)
    while not message.endswith(b"\n"):
        message += connection.recv(_LONGEST)
    ended, ends = socket.socketpair()
    ends.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ends.fileno())
    process = os.fork()
    if process == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for own in (connection, ended, ends):
            own.close()
        _become(ast.literal_eval(message.decode()), streams, paths)
    for stream in streams:
        os.close(stream)
    with suppress(OSError):  # whoever asked is gone
        connection.sendall(f"{process}\n".encode())
    if ended not in select.select([connection, ended], [], [])[0]:
        os.kill(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    with suppress(OSError):
        connection.sendall(f"{status}\n".encode())
    os._exit(0)


def _become(request: Request, streams: list[int], paths: list[str]) -> None:
    """Turn this process into the one that was asked for, and end it."""
    sys.argv, folder, variables = request
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    module = sys.argv[0] == "-m"
    first = folder if module else str(Path(sys.argv[0]).parent)
    sys.path[:] = [*([] if variables.get("PYTHONSAFEPATH") else [first]), *_python_path(variables), *paths]
    sys.dont_write_bytecode = bool(variables.get("PYTHONDONTWRITEBYTECODE"))
    invalidate_caches()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    random.seed()
    _open_streams(os.environ.get("PYTHONIOENCODING", "utf-8"))
    _end(_exit_code(_run_module if module else lambda: run_path(sys.argv[0], run_name="__main__")))


def _run_module() -> None:
    del sys.argv[0]
    run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _open_streams(said: str) -> None:
    encoding, _, errors = said.partition(":")
    sys.stdin = open(0, encoding=encoding, errors=errors or "strict", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, errors=errors or "strict", closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding=encoding, errors="backslashreplace", closefd=False, buffering=1
    )


def _exit_code(work: Callable[[], object]) -> int:
    """Return the exit code that Python would end with."""
    try:
        work()
    except SystemExit as stopped:
        if stopped.code is None or isinstance(stopped.code, int):
            return stopped.code or 0
        print(stopped.code, file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        return 130
    except BaseException:  # noqa: BLE001  (as Python does)
        traceback.print_exc()
        return 1
    return 0


def _end(code: int) -> None:
    """Do what Python does at its end, but for giving back its memory piece by piece."""
    vars(threading)["_shutdown"]()  # waits for threads
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code & 0xFF)


def _python_path(variables: Mapping[str, str]) -> list[str]:
    return [path for path in variables.get("PYTHONPATH", "").split(os.pathsep) if path]


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    main(*sys.argv[1:])
