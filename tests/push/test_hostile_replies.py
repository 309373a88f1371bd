"""Replies that lie, repeat secrets or are something else: counted as refused, and no secret is shown."""

import asyncio
import base64
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from tests.push.test_push import CASE, EXACT, GOOD, KEYS
from tests.testing.for_each import for_each

from ragstone import Result
from ragstone.errors import BadOption
from ragstone.push import PushOutcome, find_address, outgoing_scores, push_scores
from ragstone.push.webhook import WebhookAddress, WebhookMessage, send_webhook

Reply = Callable[[str, dict[str, str]], tuple[int, bytes]]
DESTINATIONS = ("otlp", "phoenix", "langfuse", "mlflow")
NO_REPLIES = (
    b"<html>Log in</html>",
    b"[]",
    b"1",
    b'"ok"',
    b"[" * 100_000,
    b"1" * 10_000,
    b"\xff\xfe",
    b"null",
)


@contextmanager
def answering(reply: Reply) -> Iterator[str]:
    """Serve on a free port; `reply` returns status and body for a path and headers."""

    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            status, body = reply(self.path, {name.lower(): value for name, value in self.headers.items()})
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = _do  # noqa: N815  (the names of methods)

        def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_port}"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def pushed(destination: str, reply: bytes | Reply, query: str = "", **keys: str) -> PushOutcome:
    answer = reply if callable(reply) else lambda _path, _headers: (200, reply)
    with answering(answer) as url:
        address = find_address(destination, url + query, KEYS | keys)
        return asyncio.run(push_scores(outgoing_scores([(CASE, GOOD), (CASE, EXACT)], "r", 1), address))


@pytest.mark.parametrize("destination", DESTINATIONS)
@for_each("reply", NO_REPLIES, ids=lambda reply: str(reply[:12]))
def test_a_reply_of_something_else_is_no_accepted_score(destination: str, reply: bytes) -> None:
    if (destination, reply) == ("otlp", b"null"):
        return  # an empty message of OTLP in JSON
    found = pushed(destination, reply)
    assert (found.sent, found.unchanged, found.failed) == (0, 0, 2)
    assert found.problem is not None
    assert len(found.problem) < 400


@for_each(
    "reply, sent",
    [
        ({}, 2),
        ({"partialSuccess": {}}, 2),
        ({"partialSuccess": {"errorMessage": "a warning only"}}, 2),
        ({"partialSuccess": {"rejectedSpans": "1", "errorMessage": "bad"}}, 1),
        ({"partial_success": {"rejected_spans": 2}}, 0),
        ({"partialSuccess": {"rejectedSpans": 10**9}}, 0),
        ({"partialSuccess": {"rejectedSpans": "9" * 400}}, 0),
        ({"partialSuccess": {"rejectedSpans": {"a": []}}}, 0),
        ({"partialSuccess": {"rejectedSpans": -1}}, 0),
    ],
)
def test_partial_success_of_otlp_is_counted(reply: dict[str, Any], sent: int) -> None:
    found = pushed("otlp", json.dumps(reply).encode())
    assert (found.sent, found.failed) == (sent, 2 - sent)
    assert (found.problem is None) == (sent == 2)


def test_phoenix_annotations_without_an_id_are_not_accepted() -> None:
    found = pushed("phoenix", b'{"data": [{"id": "QW5"}, {"id": null}, 7]}')
    assert (found.sent, found.failed) == (1, 1)


@for_each(
    "trace",
    [
        {"trace_info": []},
        {"trace_info": {"assessments": {"a": 1}}},
        {"trace_info": {"assessments": [None, 3, {"metadata": "text"}, {"metadata": {"ragstone.id": []}}]}},
    ],
)
def test_odd_traces_of_mlflow_do_not_raise(trace: Any) -> None:
    body = json.dumps({"trace": trace, "assessment": {"assessment_name": "x"}}).encode()
    found = pushed("mlflow", body)
    assert (found.sent, found.failed) == (2, 0)


def test_an_assessment_id_that_is_a_path_is_not_followed() -> None:
    paths: list[str] = []

    def reply(path: str, headers: dict[str, str]) -> tuple[int, bytes]:
        del headers
        paths.append(path)
        scores = [score for score in outgoing_scores([(CASE, GOOD)], "r", 1) if score is not None]
        item = {"assessment_id": "../../../delete", "metadata": {"ragstone.id": scores[0].id}}
        info = {"assessments": [item]}
        return 200, json.dumps({"trace": {"trace_info": info}, "assessment": {"assessment_id": "a"}}).encode()

    assert pushed("mlflow", reply).sent == 2
    assert not any("delete" in path for path in paths)


@for_each("destination", DESTINATIONS)
def test_secrets_that_a_destination_repeats_are_masked(destination: str) -> None:
    secret, query = "S3CRET-value", "hidden-in-query"
    keys = {
        "LANGFUSE_SECRET_KEY": secret,
        "PHOENIX_API_KEY": secret,
        "MLFLOW_TRACKING_USERNAME": "ada",
        "MLFLOW_TRACKING_PASSWORD": secret,
        "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer%20{secret}",
    }

    def reply(path: str, headers: dict[str, str]) -> tuple[int, bytes]:
        shown = headers["authorization"]
        decoded = base64.b64decode(shown.partition(" ")[2] + "==", validate=False)[:60]
        return 400, f"{path} is wrong for {shown} {decoded!r} {secret} {quote(secret)}".encode()

    problem = pushed(destination, reply, f"?key={query}", **keys).problem or ""
    assert "answered 400" in problem
    for hidden in (secret, query, base64.b64encode(f"ada:{secret}".encode()).decode()):
        assert hidden not in problem


@for_each("url", ["http://ada:S3CRET@localhost", "http://localhost:99999/?key=S3CRET", "x?key=S3CRET"])
def test_an_address_that_is_refused_is_shown_without_its_secrets(url: str) -> None:
    with pytest.raises(BadOption) as refused:
        find_address("phoenix", url, {})
    assert "S3CRET" not in str(refused.value)


def test_the_module_that_a_stored_spec_names_is_not_imported(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "planted_by_a_store.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    result = Result(metric="X", spec="planted_by_a_store:X(a=1)", score=0.5, judge="openai:m")
    (score,) = outgoing_scores([(CASE, result)], "r", 1)
    assert score is not None
    assert score.kind == "LLM"
    assert "planted_by_a_store" not in sys.modules


SECRET_PATH = "/services/T0/S3CRETPATH"


@for_each(
    "path, status, reply",
    [
        (f"{SECRET_PATH}?wait=S3CRETPATH", 404, "no"),
        (SECRET_PATH, 404, "The requested URL {path} was not found."),
        (SECRET_PATH.replace("T0", "T%30"), 400, '{{"error": {{"message": "{path}"}}}}'),
        (SECRET_PATH, 302, "see {path}"),
        (SECRET_PATH, 403, "<a href='{path}'>log in</a>"),
        (SECRET_PATH, 404, "S3CRET-PATH / S3CRETPATH / " + quote("/S3CRETPATH", safe="")),
    ],
)
def test_the_url_of_a_webhook_is_never_shown(path: str, status: int, reply: str) -> None:
    with answering(lambda called, _: (status, reply.format(path=called).encode())) as url:
        problem = asyncio.run(send_webhook(WebhookAddress(url + path), WebhookMessage("m", 1, {})))
    assert problem == f"the webhook answered {status}"


@for_each("url", ["http://127.0.0.1:9/S3CRETPATH?a=S3CRETPATH", "http://[::1]:9/S3CRETPATH"])
def test_an_unreachable_webhook_is_not_shown(url: str) -> None:
    problem = asyncio.run(send_webhook(WebhookAddress(url), WebhookMessage("m", 1, {})))
    assert problem == "the webhook gave no answer (no connection)"


def test_a_webhook_with_an_impossible_port_is_refused() -> None:
    with pytest.raises(BadOption) as refused:
        WebhookAddress("http://localhost:99999/S3CRETPATH")
    assert "S3CRETPATH" not in str(refused.value)
