"""A strict stand-in for the part of GitHub's REST API that comments need, on loopback."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

REPOSITORY, NUMBER, TOKEN = "team/faq", 7, "ghs_loopback"
MOST_CHARACTERS = 65_536


class GitHub(ThreadingHTTPServer):
    def __init__(self, *, forbids: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.forbids = forbids
        self.comments: list[dict[str, object]] = []
        self.faults: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: GitHub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(path.query).items()}
        size, page = int(query.get("per_page", "30")), int(query.get("page", "1"))
        if self._permitted(path.path, f"/repos/{REPOSITORY}/issues/{NUMBER}/comments"):
            if size > 100:
                self.server.faults.append(f"per_page={size}")
            self._answer(200, self.server.comments[(page - 1) * size : page * size])

    def do_POST(self) -> None:
        if self._permitted(self.path, f"/repos/{REPOSITORY}/issues/{NUMBER}/comments"):
            comment = {"id": 100 + len(self.server.comments), "body": self._body(), "user": {"type": "Bot"}}
            self.server.comments.append(comment)
            self._answer(201, comment)

    def do_PATCH(self) -> None:
        prefix = f"/repos/{REPOSITORY}/issues/comments/"
        if self._permitted(self.path[: len(prefix)], prefix):
            wanted = int(self.path.removeprefix(prefix))
            comment = next(one for one in self.server.comments if one["id"] == wanted)
            comment["body"] = self._body()
            self._answer(200, comment)

    def _body(self) -> str:
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if set(document) != {"body"} or len(document["body"]) > MOST_CHARACTERS:
            self.server.faults.append(f"body {sorted(document)}")
        return str(document["body"])

    def _permitted(self, path: str, wanted: str) -> bool:
        if self.headers["Authorization"] != f"Bearer {TOKEN}" or path != wanted:
            self.server.faults.append(f"{self.command} {self.path}")
            self._answer(404, {"message": "Not Found"})
            return False
        if self.server.forbids and self.command != "GET":
            self._answer(403, {"message": "Resource not accessible by integration"})
            return False
        return True

    def _answer(self, status: int, document: object) -> None:
        text = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@contextmanager
def github(*, forbids: bool = False) -> Iterator[GitHub]:
    with GitHub(forbids=forbids) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
