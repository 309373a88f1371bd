"""Replies of the destinations of scores and webhooks, from a real server on loopback."""

import asyncio
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

from benchmarks.attack.inputs import text
from benchmarks.attack.mutations import mutated_json
from benchmarks.attack.watch import Attempt
from ragstone import Result, TestCase
from ragstone.push import find_address, outgoing_scores, push_scores
from ragstone.push.webhook import WebhookAddress, WebhookMessage, send_webhook

_SECRET = "secret-of-the-attack"  # noqa: S105  (a made-up one)
_TRACE = "5b8efff798038103d269b633813fc60c"
_KEYS = {
    "LANGFUSE_PUBLIC_KEY": "public",
    "LANGFUSE_SECRET_KEY": _SECRET,
    "PHOENIX_API_KEY": _SECRET,
    "MLFLOW_TRACKING_TOKEN": _SECRET,
    "OTEL_EXPORTER_OTLP_HEADERS": f"authorization={_SECRET}",
}
_ASSESSMENT = {
    "assessment_id": "a", "name": "m", "feedback": {"value": 1}, "metadata": {"id": "b"},
    "source": {"source_id": "x", "source_type": "CODE"},
}  # fmt: skip
_REPLIES = {
    "otlp": {"partialSuccess": {"rejectedSpans": "1", "errorMessage": "bad"}},
    "phoenix": {"data": [{"id": "QW5"}, {"id": "QW6"}]},
    "langfuse": {"successes": [{"id": "a", "status": 201}], "errors": [{"id": "b", "status": 400, "message": "no"}]},
    "mlflow": {
        "trace": {"info": {"trace_id": _TRACE, "assessments": [_ASSESSMENT]}},
        "assessment": {"assessment_id": "a"},
    },
}  # fmt: skip


class _Replies(BaseHTTPRequestHandler):
    """Sends the reply that is to be tried."""

    reply: tuple[int, bytes] = (200, b"")
    protocol_version = "HTTP/1.1"

    def _do(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        status, body = self.reply
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PATCH = _do  # noqa: N815  (the names of methods)

    def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    """Says nothing about connections that the client ends."""

    def handle_error(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Say nothing."""


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield replies to pushes and webhooks."""
    del folder
    server = _Server(("127.0.0.1", 0), _Replies)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    case = TestCase(
        id=_TRACE,
        input="q",
        metadata={"trace": {"unit": "trace"}, "traceparent": f"00-{_TRACE}-{'1' * 16}-01"},
    )
    results = [
        Result(metric=name, spec=name, score=0.5, success=True, judge="local")
        for name in ("Faithfulness", "ExactMatch")
    ]
    try:
        for _ in range(count):
            destination = rng.choice((*_REPLIES, "webhook"))
            body = mutated_json(_REPLIES.get(destination, {}), rng) if rng.random() < 0.8 else text(rng)
            body = body.replace("bad", _SECRET) if rng.random() < 0.2 else body
            status = rng.choice((200, 200, 200, 201, 204, 302, 400, 401, 404))

            def tried(
                destination: str = destination,
                reply: tuple[int, bytes] = (status, body.encode("utf-8", "replace")),
            ) -> None:
                _Replies.reply = (reply[0], b"" if reply[0] == 204 else reply[1])
                if destination == "webhook":
                    message = WebhookMessage("id", 1, {"text": "alarm"})
                    shown = asyncio.run(send_webhook(WebhookAddress(f"{url}/{_SECRET}"), message))
                else:
                    scores = outgoing_scores([(case, result) for result in results], "run", 1)
                    outcome = asyncio.run(push_scores(scores, find_address(destination, url, _KEYS)))
                    shown = outcome.problem
                    if outcome.sent + outcome.unchanged + outcome.failed + outcome.left_out != len(results):
                        raise AssertionError(f"scores are counted twice or not at all: {outcome}")
                if _SECRET in str(shown):
                    raise AssertionError(f"a secret is shown: {shown}")

            yield f"{destination} {status} {json.dumps(body[:80])}", tried
    finally:
        server.shutdown()
        server.server_close()
