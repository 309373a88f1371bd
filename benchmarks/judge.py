"""The judge behind the HTTP server: rejections, rate limits, injected faults, answers with latency, and counts."""

import asyncio
import math
import random
import time
from collections.abc import Callable
from zlib import crc32

from benchmarks.fastjson import Json, dumps, loads
from benchmarks.model import Model, Spoken, tokens
from benchmarks.settings import Counts, Settings
from benchmarks.wire import Connection, Head

_ANSWER = (
    b'{"id":"chatcmpl-%d","object":"chat.completion","created":1760000000,"model":%b,"choices":[{"index":0,"message":'
    b'{"role":"assistant","content":%b,"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{'
    b'"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":0}}}'
)


class Judge:
    """One server's settings, counts and model."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.loop = asyncio.get_running_loop()
        self.open = 0
        self.model = Model()
        self.reset()

    def reset(self) -> None:
        """Reset the counts and the random generator."""
        self.counts = Counts(open_connections=self.open, peak_connections=self.open)
        self.distinct: set[int] = set()
        self.chance = random.Random(self.settings.seed)
        self.allowance, self.allowed_at = float(self.settings.burst), self.loop.time()
        self.cpu = time.process_time()

    def connection(self) -> Connection:
        """Return the protocol for a new client."""
        return Connection(self.hear, self.closed)

    def opened(self, client: Connection) -> None:
        """Count a connection from its first call; clients that only read the counts are not counted."""
        client.used = True
        self.open += 1
        self.counts.connections += 1
        self.counts.open_connections = self.open
        self.counts.peak_connections = max(self.counts.peak_connections, self.open)

    def closed(self, client: Connection) -> None:
        """Count a closed connection."""
        self.open -= client.used
        self.counts.open_connections = self.open

    def hear(self, client: Connection, head: Head, body: bytes) -> None:
        """Route one request."""
        if head.path.endswith(b"/chat/completions"):
            self.call(client, head, body, self.chat)
        elif head.path.endswith(b"/embeddings"):
            self.call(client, head, body, self.embed)
        else:
            self.control(client, head, body)

    def control(self, client: Connection, head: Head, body: bytes) -> None:
        """Respond with the counts, reset them, or change the settings."""
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

    def call(self, client: Connection, head: Head, body: bytes, work: Callable[[Json], bytes]) -> None:
        """Handle one model call: reject it, limit it, inject a fault, or answer it with `work`."""
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

    def begin(self, client: Connection, body: bytes, work: Callable[[Json], bytes]) -> None:
        """Compute the answer now and send it after the latency."""
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
        """Send an answer, unless the client has disconnected."""
        counts.in_flight -= 1
        if client.transport is None:
            counts.abandoned += 1
        else:
            counts.answered += 1
            client.answer(200, payload)

    def wait(self) -> float:
        """Return the seconds until a call is allowed; on 0 the call is deducted from the allowance."""
        now, rate = self.loop.time(), self.settings.rate
        self.allowance = min(float(self.settings.burst), self.allowance + (now - self.allowed_at) * rate)
        self.allowed_at = now
        if self.allowance >= 1:
            self.allowance -= 1
            return 0.0
        return (1 - self.allowance) / rate

    def struck(self, client: Connection) -> bool:
        """Draw and inject a fault for this call; return whether there was one."""
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
        """Return a chat completion."""
        counts, spoken = self.counts, self.model.speak(body)
        text = self.torn(spoken)
        got = tokens(len(text))
        self.distinct.add(spoken.prompt)
        counts.prompt_tokens += spoken.prompt_tokens
        counts.schema_tokens += spoken.schema_tokens
        counts.completion_tokens += got
        counts.by_schema[spoken.schema_name] = counts.by_schema.get(spoken.schema_name, 0) + 1
        sent, model = spoken.prompt_tokens, dumps(body.get("model", ""))
        return _ANSWER % (counts.calls, model, dumps(text), sent, got, sent + got)

    def torn(self, spoken: Spoken) -> str:
        """Return the model's text, truncated at random or if the prompt is poisoned."""
        settings = self.settings
        drawn = crc32(spoken.user.encode("utf-8", "replace")) % 10_000 if settings.poisoned else 10_000
        poisoned = drawn < settings.poisoned * 10_000
        if poisoned or (settings.invalid_json and self.chance.random() < settings.invalid_json):
            self.counts.invalid_json += 1
            return spoken.text[: max(1, len(spoken.text) * 2 // 3)]
        return spoken.text

    def embed(self, body: Json) -> bytes:
        """Return embeddings."""
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        used = sum(tokens(len(text)) for text in texts)
        self.counts.embeddings += len(texts)
        self.counts.prompt_tokens += used
        data = b",".join(
            b'{"object":"embedding","index":%d,"embedding":%b}' % (place, self.model.vector(text))
            for place, text in enumerate(texts)
        )
        model = dumps(body.get("model", ""))
        usage = b'{"prompt_tokens":%d,"total_tokens":%d}' % (used, used)
        return b'{"object":"list","data":[%b],"model":%b,"usage":%b}' % (data, model, usage)


def _error(message: str, kind: str, code: str | None = None) -> bytes:
    return dumps({"error": {"message": message, "type": kind, "param": None, "code": code}})
