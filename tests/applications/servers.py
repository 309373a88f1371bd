"""An application behind HTTP on loopback, with faults that the question names."""

import asyncio
import json
from collections import Counter
from typing import Any, Self

from aiohttp import web
from tests.servers._thread import ThreadedServer

PASSAGE = {"id": "d7", "text": "The tower was built in 1889."}


class ApplicationServer:
    """Answers POST /ask; a question that contains `hang`, `html`, `broken` or `empty` gets that fault.

    Attributes:
        asked: how often each question came.
        bodies: the JSON of each request.
        pace: seconds that each answer takes.
    """

    def __init__(self, pace: float = 0.0) -> None:
        self.asked: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.pace = pace
        self._thread = ThreadedServer(self._app, "application")

    def __enter__(self) -> Self:
        self._thread.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.__exit__()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._thread.port}/ask"

    def _app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/ask", self._answer)
        app.router.add_post("/chat", self._chat)
        return app

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        question = body["input"]
        self.asked[question] += 1
        await asyncio.sleep(self.pace)
        if "hang" in question:
            await asyncio.sleep(60)
        if "html" in question:
            return web.Response(text="<!doctype html><h1>Sign in</h1>", content_type="text/html")
        if "broken" in question:
            return web.Response(status=500, text="<h1>Internal Server Error</h1>", content_type="text/html")
        if "empty" in question:
            return web.json_response({"answer": "", "contexts": []})
        usage = {"input_tokens": 200, "output_tokens": 10}
        answer = {"answer": "In 1889.", "contexts": [PASSAGE], "usage": usage, "cost": 0.002}
        return web.json_response(answer)

    async def _chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        message = {"content": f"You said {body['messages'][0]['content']}"}
        docs = [{"body": "first"}, {"body": "second"}]
        return web.json_response(
            {"choices": [{"message": message}], "docs": docs, "usage": {"prompt_tokens": 3}}
        )


def lines(path: Any) -> list[Any]:
    """The JSON lines of a file; none while it does not exist."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
