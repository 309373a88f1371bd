"""Latency that a guard adds: `python -m benchmarks.guard`. An application is served with and without it, in turn.

Prints the latency of requests on loopback, and what the guard did with late answers.
"""

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import uvicorn

from ragstone import TestCase
from ragstone.guard import Guard, GuardedExchange, GuardMiddleware

PASSAGES = [
    "Policy 4.2: employees may work from home up to three days a week, if their manager agrees.",
    "Policy 4.3: whoever works from home is reachable from ten to three.",
    "The canteen opens at half past eleven and closes at two.",
]
ANSWERS = (
    "You may work from home up to three days a week.",
    "You may work from home five days a week.",
    "You may work from home up to three days a week, if your manager agrees. You must be reachable from ten to three.",
)


async def application(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  (ASGI)
    """Respond with a text of the list."""
    del scope
    number = json.loads((await receive())["body"])["number"]
    body = json.dumps({"answer": ANSWERS[number % len(ANSWERS)]}).encode()
    kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": kind})
    await send({"type": "http.response.body", "body": body})


def read(exchange: GuardedExchange) -> TestCase:
    """Return the test case; the number makes it different from those judged before."""
    number = exchange.question["number"]
    question = f"How many days may I work from home, asks person {number}?"
    return TestCase(input=question, actual_output=exchange.answer["answer"], retrieval_context=PASSAGES)


@contextmanager
def served(app: Any) -> Iterator[HTTPConnection]:  # noqa: ANN401  (ASGI)
    """Serve on a free port; yield a connection."""
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off")
    )
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield HTTPConnection(urlsplit(f"http://127.0.0.1:{port}").netloc, timeout=60)
    server.should_exit = True
    thread.join()


def ask(connection: HTTPConnection, number: int) -> tuple[float, str]:
    """Return the milliseconds of a request, and what the guard said."""
    begin = time.perf_counter()
    connection.request("POST", "/", json.dumps({"number": number}))
    answer = connection.getresponse()
    answer.read()
    return (time.perf_counter() - begin) * 1000, answer.getheader("ragstone-guard") or ""


def measure(metric: str, budget: float, requests: int) -> None:
    """Print a line: requests without the guard and with it, alternating."""
    with Guard(metric, budget_ms=budget).warm() as guard:
        guarded = GuardMiddleware(application, guard=guard, read=read)
        with served(application) as plain, served(guarded) as kept:
            pairs = [(ask(plain, number), ask(kept, number)) for number in range(requests)]
    without = np.array([one[0] for one, _ in pairs])
    with_it = np.array([one[0] for _, one in pairs])
    said = Counter(outcome for _, (_, outcome) in pairs)
    added = [np.quantile(with_it, share) - np.quantile(without, share) for share in (0.5, 0.99)]
    print(
        f"{metric}, budget {budget:g} ms: p50 {np.quantile(without, 0.5):.1f} -> {np.quantile(with_it, 0.5):.1f} ms, "
        f"p99 {np.quantile(without, 0.99):.1f} -> {np.quantile(with_it, 0.99):.1f} ms; "
        f"added p50 {added[0]:.1f}, p99 {added[1]:.1f} ms; {dict(sorted(said.items()))}"
    )


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=300)
    given = parser.parse_args()
    print(f"{given.requests} requests each, load of the machine {os.getloadavg()[0]:.1f}")
    for metric, budget in (("faithfulness", 1000), ("answer_relevancy", 1000), ("faithfulness", 5)):
        measure(metric, budget, given.requests)


if __name__ == "__main__":
    main()
