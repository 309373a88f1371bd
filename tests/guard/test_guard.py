"""The guard: by the real embedded judge, in front of a really served application, within its budget."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnknownName
from ragstone.guard import Guard, GuardedExchange, GuardMiddleware
from ragstone.metrics import Metric

PASSAGE = "Policy 4.2: employees may work from home up to three days a week."
GOOD, BAD = (
    "Employees may work from home up to three days a week.",
    "You may work from home five days a week.",
)


def case(answer: str = GOOD) -> TestCase:
    return TestCase(
        input="How many days may I work from home?", actual_output=answer, retrieval_context=[PASSAGE]
    )


class SlowMetric(Metric):
    """Takes a second of processor time, as a judge of this machine does."""

    needs = ("actual_output",)

    def assess(self, case: TestCase, ctx: Any) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        del ctx
        time.sleep(float(case.actual_output or 0))
        return 1.0


class BrokenMetric(Metric):
    """Cannot measure anything."""

    needs = ("actual_output",)

    def assess(self, case: TestCase, ctx: Any) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError(f"broken for {len(case.input)} characters of {type(ctx).__name__}")


def test_embedded_judge_allows_faithful_and_blocks_unfaithful_answers() -> None:
    with Guard("faithfulness", budget_ms=60_000).warm() as guard:
        good, bad = guard.check(case()), guard.check(case(BAD))
    assert (good.allowed, good.outcome, good.results[0].score) == (True, "passed", 1.0)
    assert (bad.allowed, bad.outcome, bad.results[0].score) == (False, "missed", 0.0)
    assert bad.reason.startswith("Faithfulness: ")
    assert bad.milliseconds > 0


@for_each("action, allowed", [("allow", True), ("block", False)])
def test_over_budget_applies_the_configured_action_without_waiting(action: Any, allowed: Any) -> None:
    with Guard(SlowMetric(), budget_ms=50, over_budget=action) as guard:
        found = guard.check(case("3"))
        assert (found.allowed, found.outcome, found.results) == (allowed, "over_budget", ())
        assert found.milliseconds < 2_000
        assert guard.check(case("0")).outcome == "over_budget"  # its only worker is busy still


@for_each("action, allowed", [("allow", True), ("block", False)])
def test_failed_measurement_has_outcome_unmeasured(action: Any, allowed: Any) -> None:
    with Guard([BrokenMetric(), "faithfulness"], budget_ms=60_000, not_measured=action) as guard:
        found = guard.check(case())
        assert (found.allowed, found.outcome) == (allowed, "not_measured")
        assert "broken for" in found.reason
        assert guard.check(case(BAD)).outcome == "missed"
    with Guard("faithfulness", budget_ms=60_000, not_measured=action) as guard:
        assert guard.check(TestCase(input="a", actual_output="b")).outcome == "skipped"


def test_invalid_guard_options_are_refused() -> None:
    for wrong in ({"budget_ms": 0}, {"workers": 0}, {"over_budget": "explode"}):
        with pytest.raises(BadOption):
            Guard("faithfulness", **wrong)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="needs a metric"):
        Guard([])
    with pytest.raises(UnknownName):
        Guard("faithfulnes")


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer what was asked for, in two pieces."""
    del scope
    asked = json.loads((await receive())["body"] or b"{}")
    body = json.dumps({"answer": asked.get("say"), "passages": [PASSAGE]}).encode()
    kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": asked.get("status", 200), "headers": kind})
    await send({"type": "http.response.body", "body": body[:7], "more_body": True})
    await send({"type": "http.response.body", "body": body[7:]})


def read(exchange: GuardedExchange) -> TestCase | None:
    if exchange.question.get("health"):
        return None
    found = exchange.answer
    return TestCase(
        input=exchange.question["ask"], actual_output=found["answer"], retrieval_context=found["passages"]
    )


@contextmanager
def serving(app: Callable[..., Any]) -> Iterator[str]:
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off")
    )
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_middleware_withholds_responses_that_fail() -> None:
    with Guard("faithfulness", budget_ms=60_000, not_measured="block").warm() as guard:
        app = GuardMiddleware(application, guard=guard, read=read, paths=["/answer"], max_body=10_000)
        with serving(app) as url, httpx.Client(timeout=60) as client:

            def post(path: str = "/answer", **body: Any) -> httpx.Response:
                return client.post(url + path, json={"ask": "How many days?", **body})

            good = post(say=GOOD)
            assert (good.status_code, good.json()["answer"]) == (200, GOOD)
            assert good.headers["ragstone-guard"] == "passed"
            bad = post(say=BAD)
            assert (bad.status_code, bad.headers["ragstone-guard"]) == (503, "missed")
            assert "five" not in bad.text
            assert bad.json()["detail"].startswith("The answer was withheld")
            assert "ragstone-guard" not in post(say=BAD, health=True).headers  # it is not judged
            assert "ragstone-guard" not in post("/other", say=BAD).headers
            assert post(say=BAD, status=404).status_code == 404
            assert post(say="word " * 4000).headers["ragstone-guard"] == "unreadable"  # too large
            broken = client.post(url + "/answer", json={"say": GOOD})
            assert (broken.status_code, broken.headers["ragstone-guard"]) == (503, "unreadable")


@for_each("action, status", [("allow", 200), ("block", 503)])
def test_a_response_that_is_too_large_is_not_kept_in_memory(action: Any, status: int) -> None:
    piece, count = b"x" * 4_000, 50
    sent: list[int] = []
    waiting: list[int] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        del scope
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for number in range(count):
            await send({"type": "http.response.body", "body": piece, "more_body": number < count - 1})
            waiting.append(number + 1 - sum(size == len(piece) for size in sent))

    async def answer() -> list[Any]:
        messages: list[Any] = []

        async def send(message: Any) -> None:
            messages.append(message)
            sent.append(len(message.get("body", b"")))

        async def receive() -> Any:
            return {"type": "http.request", "body": b"{}"}

        await app({"type": "http", "path": "/answer"}, receive, send)
        return messages

    with Guard("faithfulness", budget_ms=60_000) as guard:
        app = GuardMiddleware(application, guard=guard, read=read, max_body=10_000, oversized=action)
        messages = asyncio.run(answer())
    start = messages[0]
    assert (start["status"], dict(start["headers"])[b"ragstone-guard"]) == (status, b"unreadable")
    body = b"".join(message["body"] for message in messages[1:])
    assert body == piece * count if action == "allow" else b"withheld" in body
    if action == "allow":
        assert waiting == [1, 2] + [0] * (count - 2)  # pieces that are kept back, after each


def test_middleware_over_budget_responds_without_waiting() -> None:
    def slow(exchange: GuardedExchange) -> TestCase:
        return TestCase(input="a", actual_output=str(exchange.question["say"]))

    with Guard(SlowMetric(), budget_ms=50) as guard:
        app = GuardMiddleware(application, guard=guard, read=slow)
        with serving(app) as url:
            begin = time.perf_counter()
            found = httpx.post(url, json={"say": 5}, timeout=60)
            took = time.perf_counter() - begin
    assert (found.status_code, found.headers["ragstone-guard"]) == (200, "over-budget")
    assert took < 4.5  # it did not wait for the five seconds that the metric takes


def test_concurrent_achecks_pass_in_one_event_loop() -> None:
    async def both() -> list[str]:
        with Guard(SlowMetric(), budget_ms=60_000, workers=4) as guard:
            found = await asyncio.gather(*(guard.acheck(case("0.2")) for _ in range(4)))
        return [one.outcome for one in found]

    assert asyncio.run(both()) == ["passed"] * 4


ANSWERED = Event()


async def unfaithful(request: Request) -> Response:
    await request.body()
    tasks = BackgroundTask(ANSWERED.wait, 300) if request.query_params.get("background") else None
    return JSONResponse({"answer": BAD, "passages": [PASSAGE]}, background=tasks)


STARLETTE = Starlette(routes=[Route("/answer", unfaithful, methods=["POST"])])
QUESTION = json.dumps({"ask": "How many days may I work from home?"}).encode()


async def compressing(scope: Any, receive: Any, send: Any) -> None:
    """Compress every response, whether the client asks for it or not."""
    forced = [*scope["headers"], (b"accept-encoding", b"gzip")]
    await GZipMiddleware(STARLETTE, minimum_size=1)({**scope, "headers": forced}, receive, send)


@pytest.mark.parametrize("app", [STARLETTE, GZipMiddleware(STARLETTE, minimum_size=1), compressing])
@for_each(
    "body, headers",
    [
        (QUESTION, {"accept-encoding": "gzip"}),
        (QUESTION, {"accept-encoding": "br, zstd;q=0.1"}),
        (QUESTION, {"range": "bytes=0-3", "if-range": "x"}),
        (QUESTION + b" " * (1 << 20), {}),
        (QUESTION[:-1], {}),
        (b"", {}),
        (b"\xff\xfe" + QUESTION.decode().encode("utf-16-le"), {}),
        (b'{"ask": 5}', {}),
        (b'{"ask": "\\ud800"}', {}),
        (b'{"ask": ' + b"[" * 100_000, {}),
    ],
)
def test_a_client_cannot_switch_the_guard_off(app: Any, body: bytes, headers: dict[str, str]) -> None:
    with Guard("faithfulness", budget_ms=60_000) as guard:
        guarded = GuardMiddleware(app, guard=guard, read=read, paths=["/answer"])

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(guarded)
            async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
                return await client.post("/answer", content=body, headers=headers)

        found = asyncio.run(ask())
    assert found.status_code == 503
    assert found.headers["ragstone-guard"] in {"missed", "unreadable"}
    assert "five days" not in found.text


def test_the_response_does_not_wait_for_background_tasks() -> None:
    with Guard("faithfulness", budget_ms=60_000).warm() as guard:
        app = GuardMiddleware(STARLETTE, guard=guard, read=read, paths=["/answer"])
        with serving(app) as url:
            found = httpx.post(f"{url}/answer?background=1", content=QUESTION, timeout=200)
            ANSWERED.set()  # the background task ends now, after the response
            assert (found.status_code, found.headers["ragstone-guard"]) == (503, "missed")


def test_a_path_below_the_root_path_is_judged() -> None:
    with Guard("faithfulness", budget_ms=60_000) as guard:
        app = Starlette(
            routes=[Mount("/api", GuardMiddleware(STARLETTE, guard=guard, read=read, paths=["/answer"]))]
        )
        with serving(app) as url:
            assert httpx.post(f"{url}/api/answer", content=QUESTION, timeout=60).status_code == 503


def test_long_answers_do_not_delay_short_ones() -> None:
    """Long answers occupy processes of their own, which end with their budget."""
    sentences = (f"Employee {number} of team {number % 17} may work from home." for number in range(9_000))
    long = case(" ".join(sentences))

    async def main() -> tuple[list[str], list[str]]:
        with Guard("faithfulness", budget_ms=1_500).warm() as guard:
            slow = [asyncio.create_task(guard.acheck(long)) for _ in range(3)]
            await asyncio.sleep(0.2)
            quick = [(await guard.acheck(case(BAD))).outcome for _ in range(3)]
            return quick, [(await task).outcome for task in slow]

    quick, slow = asyncio.run(main())
    assert "missed" in quick
    assert slow == ["over_budget"] * 3


def test_a_long_answer_is_judged_within_a_long_budget() -> None:
    long = case("You may work from home five days a week. " * 600)
    with Guard("faithfulness", budget_ms=60_000) as guard:
        assert guard.check(long).outcome == "missed"


WARM = """
import sys
from ragstone import TestCase
from ragstone.guard import Guard

guard = Guard(sys.argv[1], budget_ms=60_000).warm()
opened = []
sys.addaudithook(lambda event, given: opened.append(given[0]) if event in {"open", "import"} else None)
guard.check(
    TestCase(
        input="How long is the Orrin Bridge?",
        actual_output="The Orrin Bridge has a length of 45 metres. Ann Lee built it in 1911.",
        expected_output="330 metres",
        retrieval_context=["The Orrin Bridge is 330 metres long.", "It was opened in 1911 by Ann Lee."],
    )
)
print([name for name in opened if "ragstone" in str(name)])
"""


@for_each("metric", ["faithfulness", "answer_relevancy", "hallucination", "contextual_recall"])
def test_nothing_is_loaded_after_warm(metric: str) -> None:
    done = subprocess.run([sys.executable, "-c", WARM, metric], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
