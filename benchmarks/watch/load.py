"""Send traces to a real receiver at a steady rate: `python -m benchmarks.watch.load --seconds 60 --rate 200`.

Prints the latency of requests, the receiver's memory, and the number of lost traces, which must be zero.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from threading import local
from urllib.parse import urlsplit

import numpy as np

from ragstone.store.queue.trace_queue import open_queue

_CONNECTIONS = local()
SERVE = (sys.executable, "-c", "from ragstone.cli import main; main()", "serve", "--port", "0")


def body_of(number: int) -> bytes:
    """Return a trace of three spans, with a passage, as OTLP/JSON."""
    texts = {
        1: {
            "openinference.span.kind": "CHAIN",
            "input.value": f"Question {number}?",
            "output.value": "Yes. " * 40,
        },
        2: {
            "openinference.span.kind": "RETRIEVER",
            "retrieval.documents.0.document.content": "It is so. " * 60,
        },
        3: {"openinference.span.kind": "LLM", "llm.input_messages.0.message.content": "It is so. " * 80},
    }
    spans = [
        {
            "traceId": f"{number:032x}",
            "spanId": f"{span:016x}",
            **({} if span == 1 else {"parentSpanId": f"{1:016x}"}),
            "name": f"span {span}",
            "startTimeUnixNano": str(10**18 + span),
            "endTimeUnixNano": str(10**18 + 10 - span),
            "attributes": [{"key": key, "value": {"stringValue": text}} for key, text in values.items()],
        }
        for span, values in texts.items()
    ]
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


def send(url: str, number: int) -> tuple[int, float]:
    """Send a trace; return the status and the seconds it took."""
    connection = getattr(_CONNECTIONS, "one", None)
    if connection is None:
        connection = _CONNECTIONS.one = HTTPConnection(urlsplit(url).netloc, timeout=60)
    begin = time.perf_counter()
    connection.request("POST", "/v1/traces", body_of(number), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status, time.perf_counter() - begin


def memory(process: int) -> float:
    """Return the resident megabytes of a process."""
    text = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return int(found[1]) / 1000 if found else 0.0


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    store = str(folder / "runs.sqlite3")
    own = {**os.environ, "XDG_DATA_HOME": str(folder)}
    command = [*SERVE, "--store", store, "--otlp", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=own) as process:
        assert process.stderr is not None  # noqa: S101  (a pipe)
        url = process.stderr.readline().split()[-1]
        sizes: list[float] = []
        begin, total = time.perf_counter(), given.rate * given.seconds
        with ThreadPoolExecutor(16) as pool:
            sent = []
            for number in range(1, total + 1):
                time.sleep(max(0.0, begin + number / given.rate - time.perf_counter()))
                sent.append(pool.submit(send, url, number))
                if number % (5 * given.rate) == 0:
                    sizes.append(memory(process.pid))
            answers = [one.result() for one in sent]
        seconds = time.perf_counter() - begin
        process.kill()
    queue = open_queue(store)
    stored = queue.counts().waiting
    queue.close()
    took = np.array([one for _, one in answers]) * 1000
    accepted = sum(status == 200 for status, _ in answers)
    print(f"{total} traces of 3 spans in {seconds:.0f} s: {total / seconds:.0f} a second, SQLite")
    print(f"accepted {accepted}, stored {stored}, lost {accepted - stored}")
    p50, p99 = (np.quantile(took, share) for share in (0.5, 0.99))
    print(f"ingest p50 {p50:.1f} ms, p99 {p99:.1f} ms, largest {took.max():.0f} ms")
    print(f"memory of the server: {', '.join(f'{size:.0f}' for size in sizes)} MB")


if __name__ == "__main__":
    main()
