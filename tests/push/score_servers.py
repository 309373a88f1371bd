"""Servers that take scores, on loopback: each checks a body by its published schema and keeps what a real one would."""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

HEX_TRACE, HEX_SPAN = re.compile(r"[0-9a-f]{32}"), re.compile(r"[0-9a-f]{16}")


class Refusal(Exception):  # noqa: N818  (reads as what happened)
    """A request that does not fit the schema."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def need(fits: object, why: str, status: int = 422) -> None:
    """Refuse a request that breaks a rule."""
    if not fits:
        raise Refusal(status, why)


class ScoreServer:
    """What arrived, and what is kept of it."""

    key: str | None = None

    def __init__(self) -> None:
        self.kept: dict[Any, dict[str, Any]] = {}
        self.requests: list[tuple[str, str, Any]] = []
        self.url = ""

    def answer(self, method: str, path: str, body: Any) -> Any:
        """Check and keep a request; return the answer."""
        raise NotImplementedError


class PhoenixServer(ScoreServer):
    """`POST /v1/trace_annotations` and `/v1/span_annotations`, upserted by target, name and identifier."""

    def answer(self, method: str, path: str, body: Any) -> Any:
        found = re.fullmatch(r"/v1/(trace|span)_annotations\?sync=true", path)
        need(found and method == "POST", f"{method} {path}")
        assert found is not None
        target = f"{found[1]}_id"
        for item in body["data"]:
            need(
                set(item) == {target, "name", "annotator_kind", "result", "metadata", "identifier"},
                str(sorted(item)),
            )
            need((HEX_TRACE if found[1] == "trace" else HEX_SPAN).fullmatch(item[target]), item[target])
            need(item["annotator_kind"] in {"LLM", "CODE", "HUMAN"}, item["annotator_kind"])
            need(item["name"].strip() and set(item["result"]) <= {"score", "label", "explanation"}, str(item))
            need(any(value is not None for value in item["result"].values()), "an empty result")
            self.kept[target, item[target], item["name"], item["identifier"]] = item
        return {"data": [{"id": f"QW5ub3RhdGlvbjo{number}"} for number, _ in enumerate(body["data"])]}


class LangfuseServer(ScoreServer):
    """`POST /api/public/scores`, upserted by id; keys by basic authentication."""

    key = "Basic " + base64.b64encode(b"pk-lf-1:sk-lf-1").decode()
    known = frozenset(
        {"id", "traceId", "sessionId", "observationId", "name", "value", "dataType", "comment", "metadata"}
    )

    def answer(self, method: str, path: str, body: Any) -> Any:
        need((method, path) == ("POST", "/api/public/scores"), f"{method} {path}")
        need(set(body) <= self.known and isinstance(body["name"], str), str(sorted(body)))
        need(
            body["dataType"] == "NUMERIC" and isinstance(body["value"], float), "a numeric score has a number"
        )
        need(bool(body.get("traceId")) != bool(body.get("sessionId")), "of a trace or of a session")
        self.kept[body["id"]] = body
        return {"id": body["id"]}


class MLflowServer(ScoreServer):
    """Traces with assessments, whose ids the server makes."""

    def answer(self, method: str, path: str, body: Any) -> Any:
        found = re.fullmatch(r"/api/3\.0/mlflow/traces/(tr-[0-9a-f]{32})(/assessments(?:/(a-\d+))?)?", path)
        need(found, path)
        assert found is not None
        trace, inner, identifier = found.groups()
        if method == "GET" and inner is None:
            items = [item for item in self.kept.values() if item["trace_id"] == trace]
            return {"trace": {"trace_info": {"trace_id": trace, "assessments": items}}}
        sent = body["assessment"]
        need(
            sent["source"]["source_type"] in {"HUMAN", "LLM_JUDGE", "CODE"} and sent["source"]["source_id"],
            "source",
        )
        need(
            "." not in sent["assessment_name"] and sent["trace_id"] == trace, "the name must not contain '.'"
        )
        feedback = sent["feedback"]
        need(("value" in feedback) != ("error" in feedback), "a value or an error")
        need(all(isinstance(value, str) for value in sent["metadata"].values()), "metadata is a map of texts")
        if method == "PATCH":
            need(
                set(body["update_mask"].split(",")) <= {"feedback", "rationale", "metadata"},
                body["update_mask"],
            )
            need(identifier in self.kept, "no such assessment")
        else:
            need(method == "POST" and identifier is None, method)
            identifier = f"a-{len(self.kept) + 1}"
        self.kept[identifier] = {**sent, "assessment_id": identifier}
        return {"assessment": self.kept[identifier]}


class OtlpServer(ScoreServer):
    """`POST /v1/traces` in JSON: spans by id."""

    def answer(self, method: str, path: str, body: Any) -> Any:
        need((method, path) == ("POST", "/v1/traces"), f"{method} {path}")
        for by_resource in body["resourceSpans"]:
            for by_scope in by_resource["scopeSpans"]:
                for span in by_scope["spans"]:
                    need(HEX_TRACE.fullmatch(span["traceId"]) and HEX_SPAN.fullmatch(span["spanId"]), "ids")
                    need(len(span["links"]) == 1, "exactly one link")
                    self.kept[span["traceId"], span["spanId"]] = span
        return {}


@contextmanager
def serving(server: ScoreServer) -> Iterator[ScoreServer]:
    """Serve on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            server.requests.append((self.command, self.path, body))
            try:
                need(server.key in {None, self.headers.get("authorization")}, "wrong key", 401)
                need(body is None or self.headers.get("content-type") == "application/json", "not JSON", 415)
                status, answer = 200, server.answer(self.command, self.path, body)
            except (Refusal, KeyError) as refusal:
                status, answer = getattr(refusal, "status", 422), {"detail": str(refusal)}
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _do  # noqa: N815  (the names of methods)

        def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_port}"
    thread = Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
