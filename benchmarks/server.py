"""A judge to measure clients with: OpenAI-compatible, deterministic, one process, faster than any client.

    python -m benchmarks.server --port 8099 --latency-ms 200 --jitter-ms 20 --rate 100

`POST /v1/chat/completions` and `/v1/embeddings` answer; `GET /stats` counts; `POST /config` changes settings
while it runs; `POST /reset` counts from zero. The first line on stdout is the address, once it listens.
"""

import argparse
import asyncio
import json
import math
import random
import re
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import fields
from typing import Any
from zlib import crc32

from benchmarks.answers import answer, resolved
from benchmarks.settings import Counts, Settings
from benchmarks.wire import Connection, Head

try:
    import orjson
except ImportError:
    dumps: Callable[[Any], bytes] = lambda value: json.dumps(value, ensure_ascii=False).encode()  # noqa: E731
    loads: Callable[[bytes], Any] = json.loads
else:
    dumps, loads = orjson.dumps, orjson.loads

_MOST_REMEMBERED = 50_000
_DIMENSIONS = 128
Json = Any
_ANSWER = (
    b'{"id":"chatcmpl-%d","object":"chat.completion","created":1760000000,"model":%b,"choices":[{"index":0,"message":'
    b'{"role":"assistant","content":%b,"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":'
    b'%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":0}}}'
)


class Judge:
    """The server's state: settings, counts, and the answers already worked out."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.loop = asyncio.get_running_loop()
        self.open = 0
        self.remembered: dict[tuple[str, str], bytes] = {}
        self.shapes: dict[bytes, dict[str, Any]] = {}
        self.vectors: dict[str, bytes] = {}
        self.reset()

    def reset(self) -> None:
        """Count from zero, and draw the same chances again."""
        self.counts = Counts(open_connections=self.open, peak_connections=self.open)
        self.distinct: set[int] = set()
        self.chance = random.Random(self.settings.seed)
        self.allowance, self.allowed_at = float(self.settings.burst), self.loop.time()
        self.cpu = time.process_time()

    def connection(self) -> Connection:
        """What the loop makes for each client."""
        return Connection(self.hear, self.closed)

    def opened(self, client: Connection) -> None:
        """A connection counts from its first call on: whoever only reads the counts is none."""
        client.used = True
        self.open += 1
        self.counts.connections += 1
        self.counts.open_connections = self.open
        self.counts.peak_connections = max(self.counts.peak_connections, self.open)

    def closed(self, client: Connection) -> None:
        """A client has gone."""
        self.open -= client.used
        self.counts.open_connections = self.open

    def hear(self, client: Connection, head: Head, body: bytes) -> None:
        """Take one request to whoever answers it."""
        if head.path.endswith(b"/chat/completions"):
            self.call(client, head, body, self.chat)
        elif head.path.endswith(b"/embeddings"):
            self.call(client, head, body, self.embed)
        else:
            self.control(client, head, body)

    def control(self, client: Connection, head: Head, body: bytes) -> None:
        """Tell the counts, or change the settings."""
        match head.method, head.path:
            case b"GET", b"/stats":
                shown = self.counts.shown(len(self.distinct), time.process_time() - self.cpu)
                client.answer(200, dumps(shown))
            case b"POST", b"/reset":
                self.reset()
                client.answer(200, b"{}")
            case b"POST", b"/config":
                try:
                    self.settings.change(loads(body or b"{}"))
                except (ValueError, AttributeError) as error:
                    client.answer(400, _error(str(error), "invalid_request_error"))
                    return
                self.reset()
                client.answer(200, dumps(vars(self.settings)))
            case _:
                client.answer(404, _error("There is no such path.", "invalid_request_error"))

    def call(self, client: Connection, head: Head, body: bytes, work: Callable[[Any], bytes]) -> None:
        """One call of a model: refused, limited, struck by a fault, or answered by `work`."""
        counts, settings = self.counts, self.settings
        counts.calls += 1
        if not client.used:
            self.opened(client)
        if settings.key and (head.key or b"").decode("latin-1") != settings.key:
            counts.refused_key += 1
            client.answer(
                401, _error("Incorrect API key provided.", "invalid_request_error", "invalid_api_key")
            )
            return
        if settings.rate and (wait := self.wait()) > 0:
            counts.rate_limited += 1
            told = settings.retry_after or wait
            extra = b"Retry-After: %d\r\nretry-after-ms: %d\r\n" % (math.ceil(told), math.ceil(told * 1000))
            client.answer(429, _error("Rate limit reached.", "requests", "rate_limit_exceeded"), extra)
            return
        if self.struck(client):
            return
        self.begin(client, body, work)

    def begin(self, client: Connection, body: bytes, work: Callable[[Any], bytes]) -> None:
        """Work out the answer now, send it after the latency."""
        counts, settings = self.counts, self.settings
        try:
            payload = work(loads(body))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            counts.bad_requests += 1
            client.answer(400, _error(f"{type(error).__name__}: {error}", "invalid_request_error"))
            return
        counts.in_flight += 1
        counts.peak_in_flight = max(counts.peak_in_flight, counts.in_flight)
        delay = settings.latency_ms
        if settings.jitter_ms:
            delay += self.chance.random() * settings.jitter_ms
        if delay:
            self.loop.call_later(delay / 1000, self.end, client, payload, counts)
        else:
            self.end(client, payload, counts)

    def end(self, client: Connection, payload: bytes, counts: Counts) -> None:
        """Send an answer, unless its client has given up."""
        counts.in_flight -= 1
        if client.transport is None:
            counts.abandoned += 1
        else:
            counts.answered += 1
            client.answer(200, payload)

    def wait(self) -> float:
        """Seconds until a call is allowed; 0 takes one of the allowed."""
        now, rate = self.loop.time(), self.settings.rate
        self.allowance = min(float(self.settings.burst), self.allowance + (now - self.allowed_at) * rate)
        self.allowed_at = now
        if self.allowance >= 1:
            self.allowance -= 1
            return 0.0
        return (1 - self.allowance) / rate

    def struck(self, client: Connection) -> bool:
        """Whether a fault was drawn for this call, and done."""
        settings, counts = self.settings, self.counts
        if not settings.error_500 + settings.reset + settings.stall:
            return False
        drawn = self.chance.random()
        if drawn < settings.error_500:
            counts.error_500 += 1
            client.answer(500, _error("The server had an error.", "server_error"))
        elif drawn < settings.error_500 + settings.reset:
            counts.reset += 1
            client.reset()
        elif drawn < settings.error_500 + settings.reset + settings.stall:
            counts.stalled += 1
        else:
            return False
        return True

    def chat(self, body: Json) -> bytes:
        """A chat completion."""
        counts = self.counts
        texts = [_text(message["content"]) for message in body["messages"]]
        user = texts[[message["role"] for message in body["messages"]].index("user")]
        wanted = (body.get("response_format") or {}).get("json_schema")
        schema = dumps(wanted["schema"]) if wanted else b""
        sent = (sum(map(len, texts)) + 3) // 4
        self.distinct.add(hash((*texts, schema)))
        content = self.content(user, schema, texts)
        counts.prompt_tokens += sent
        counts.schema_tokens += (len(schema) + 3) // 4
        got = (len(content) + 3) // 4
        counts.completion_tokens += got
        name = wanted.get("name", "answer") if wanted else "none"
        counts.by_schema[name] = counts.by_schema.get(name, 0) + 1
        return _ANSWER % (counts.calls, dumps(body.get("model", "")), dumps(content), sent, got, sent + got)

    def content(self, user: str, schema: bytes, texts: list[str]) -> str:
        """The model's text: the answer as JSON, broken where chance or poison wants it."""
        known = self.remembered.get((user, schema))
        if known is None:
            shape = self.shape(schema) if schema else resolved(_schema_in("\n".join(texts)))
            known = dumps(answer(shape, user)).decode()
            if len(self.remembered) < _MOST_REMEMBERED:
                self.remembered[user, schema] = known
        settings = self.settings
        poisoned = (
            settings.poisoned and crc32(user.encode("utf-8", "replace")) % 10_000 < settings.poisoned * 10_000
        )
        if poisoned or (settings.invalid_json and self.chance.random() < settings.invalid_json):
            self.counts.invalid_json += 1
            return known[: max(1, len(known) * 2 // 3)]
        return known

    def shape(self, schema: bytes) -> dict[str, Any]:
        """A schema as sent, resolved; remembered."""
        known = self.shapes.get(schema)
        if known is None:
            known = self.shapes[schema] = resolved(loads(schema))
        return known

    def embed(self, body: Json) -> bytes:
        """Embeddings."""
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.counts.embeddings += len(texts)
        used = sum((len(text) + 3) // 4 for text in texts)
        self.counts.prompt_tokens += used
        data = b",".join(
            b'{"object":"embedding","index":%d,"embedding":%b}' % (place, self.vector(text))
            for place, text in enumerate(texts)
        )
        model = dumps(body.get("model", ""))
        usage = b'{"prompt_tokens":%d,"total_tokens":%d}' % (used, used)
        return b'{"object":"list","data":[%b],"model":%b,"usage":%b}' % (data, model, usage)

    def vector(self, text: str) -> bytes:
        """A text's vector as JSON; remembered."""
        known = self.vectors.get(text)
        if known is None:
            known = self.vectors[text] = dumps(_words_vector(text))
        return known


def _text(content: Json) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _error(message: str, kind: str, code: str | None = None) -> bytes:
    return dumps({"error": {"message": message, "type": kind, "param": None, "code": code}})


def _schema_in(text: str) -> Json:
    """The last object schema written in a prompt; a lone verdict where there is none."""
    decoder, found, start = json.JSONDecoder(), {"properties": {"verdict": {"type": "string"}}}, 0
    while (brace := text.find("{", start)) >= 0:
        try:
            value, start = decoder.raw_decode(text, brace)
        except ValueError:
            start = brace + 1
            continue
        if isinstance(value, dict) and isinstance(value.get("properties"), dict):
            found = value
    return found


def _words_vector(text: str) -> list[float]:
    vector = [0.0] * _DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        drawn = crc32(word.encode())
        vector[drawn % _DIMENSIONS] += 1.0 if drawn & 0x10000 else -1.0
    norm = math.sqrt(sum(x * x for x in vector))
    return [round(x / norm, 6) for x in vector] if norm else [1.0, *vector[1:]]


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
    parser = argparse.ArgumentParser(prog="benchmarks.server", description=__doc__.partition("\n")[0])
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
