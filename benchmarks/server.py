"""A judge to measure clients with: OpenAI-compatible, deterministic, one process, faster than any client.

    python -m benchmarks.server --port 8099 --latency-ms 200 --jitter-ms 20 --rate 100

`POST /v1/chat/completions` and `/v1/embeddings` answer; `GET /stats` counts; `POST /config` changes settings
while it runs; `POST /reset` counts from zero. The first line on stdout is the address, once it listens.
"""

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable
from dataclasses import fields

from benchmarks.judge import Judge
from benchmarks.settings import Settings


async def serve(settings: Settings, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    judge = Judge(settings)
    server = await loop.create_server(judge.connection, host, port, backlog=4096)
    bound = server.sockets[0].getsockname()
    print(f"http://{bound[0]}:{bound[1]}", flush=True)
    await stop.wait()
    server.close()


def main(arguments: list[str] | None = None) -> int:
    """Read the flags and serve."""
    parser = argparse.ArgumentParser(prog="benchmarks.server", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    for entry in fields(Settings):
        flag = f"--{entry.name.replace('_', '-')}"
        parser.add_argument(flag, type=type(entry.default), default=entry.default)
    given = vars(parser.parse_args(arguments))
    host, port = given.pop("host"), given.pop("port")
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve(Settings(**given), host, port))
    return 0


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - the server runs without it
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    sys.exit(main())
