import asyncio
import json
from collections.abc import Iterator
from typing import Any

import aiohttp
import pytest
from benchmarks.floor import request
from benchmarks.launch import Launched, launched

from ragstone.judges import LLMJudge
from ragstone.prompts import JudgeClaims
from ragstone.providers import OpenAI, Retry, open_transport


@pytest.fixture(scope="module")
def running() -> Iterator[Launched]:
    with launched() as judge:
        yield judge


@pytest.fixture
def judge(running: Launched) -> Iterator[Launched]:
    yield running
    running.configure(
        latency_ms=0,
        jitter_ms=0,
        invalid_json=0,
        poisoned=0,
        error_500=0,
        reset=0,
        stall=0,
        rate=0,
        burst=20,
        key="",
    )


def ask(judge: Launched, bodies: list[Any], *, in_flight: int = 1, total: float = 10.0) -> list[Any]:
    """Status and content of each call; the name of the exception where there was none."""

    async def one(session: aiohttp.ClientSession, body: Any) -> Any:
        try:
            async with session.post(f"{judge.base_url}/chat/completions", json=body) as response:
                payload = await response.json()
        except (aiohttp.ClientError, TimeoutError) as error:
            return type(error).__name__
        return response.status, payload["choices"][0]["message"][
            "content"
        ] if response.status == 200 else payload

    async def everything() -> list[Any]:
        timeout, connector = aiohttp.ClientTimeout(total=total), aiohttp.TCPConnector(limit=in_flight)
        async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
            return await asyncio.gather(*(one(session, body) for body in bodies))

    return asyncio.run(everything())


def test_equal_prompts_get_equal_answers_with_a_verdict_for_each_claim(judge: Launched) -> None:
    first, second, other = ask(judge, [request(1), request(1), request(2)])
    assert first == second
    assert first[0] == other[0] == 200
    assert len(json.loads(first[1])["verdicts"]) == 5


def test_calls_prompts_tokens_and_connections_are_counted(judge: Launched) -> None:
    judge.reset()
    bodies = [request(1), request(2), request(1)]
    ask(judge, bodies)
    stats = judge.stats()
    assert (stats["calls"], stats["answered"], stats["distinct_prompts"], stats["connections"]) == (
        3,
        3,
        2,
        1,
    )
    sent = [sum(len(message["content"]) for message in body["messages"]) for body in bodies]
    assert stats["prompt_tokens"] == sum((length + 3) // 4 for length in sent)
    assert stats["completion_tokens"] > 0
    assert stats["by_schema"] == {"answer": 3}
    assert stats["cpu_seconds"] > 0


def test_calls_in_flight_reach_the_client_limit_under_latency(judge: Launched) -> None:
    judge.configure(latency_ms=100.0)
    ask(judge, [request(n) for n in range(8)], in_flight=4)
    stats = judge.stats()
    assert (stats["peak_in_flight"], stats["peak_connections"], stats["in_flight"]) == (4, 4, 0)


def test_faults_are_drawn_at_their_rates_and_counted(judge: Launched) -> None:
    judge.configure(invalid_json=0.2, error_500=0.2, reset=0.1, seed=3)
    answers = ask(judge, [request(n) for n in range(300)], in_flight=8)
    stats = judge.stats()
    failed = sum(answer[0] == 500 for answer in answers)
    assert failed == stats["error_500"]
    assert 30 <= failed <= 90
    assert 10 <= stats["reset"] <= 60
    broken = sum(answer[0] == 200 and not _parses(answer[1]) for answer in answers)
    assert broken == stats["invalid_json"]
    assert 20 <= broken <= 80


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_a_stalled_call_never_ends(judge: Launched) -> None:
    judge.configure(stall=1.0)
    assert ask(judge, [request(1)], total=0.3) == ["TimeoutError"]
    assert judge.stats()["stalled"] == 1


def test_poisoned_prompts_are_always_broken(judge: Launched) -> None:
    judge.configure(poisoned=0.3)
    bodies = [request(n) for n in range(40)]
    first, second = ask(judge, bodies), ask(judge, bodies)
    assert first == second
    assert 0 < sum(not _parses(content) for _, content in first) < 40


def test_exceeding_the_rate_returns_429_with_retry_after(judge: Launched) -> None:
    judge.configure(rate=1.0, burst=2)

    async def conversation() -> list[tuple[int, str | None, str | None]]:
        url, seen = f"{judge.base_url}/chat/completions", []
        async with aiohttp.ClientSession() as session:
            for number in range(4):
                async with session.post(url, json=request(number)) as response:
                    told = response.headers
                    seen.append((response.status, told.get("Retry-After"), told.get("retry-after-ms")))
        return seen

    seen = asyncio.run(conversation())
    assert [status for status, *_ in seen] == [200, 200, 429, 429]
    assert seen[2][1] == "1"
    assert 0 < int(seen[2][2] or 0) <= 1000
    assert judge.stats()["rate_limited"] == 2


def test_a_wrong_key_is_refused(judge: Launched) -> None:
    judge.configure(key="right")
    [(status, payload)] = ask(judge, [request(1)])
    assert (status, payload["error"]["code"]) == (401, "invalid_api_key")


@pytest.mark.parametrize(
    "body", [{"model": "m"}, {"messages": "x"}, [], {"messages": [{"role": "system", "content": ""}]}]
)
def test_malformed_request_returns_400_and_server_keeps_running(judge: Launched, body: Any) -> None:
    [(status, payload)] = ask(judge, [body])
    assert (status, payload["error"]["type"]) == (400, "invalid_request_error")
    assert ask(judge, [request(1)])[0][0] == 200


def test_unknown_setting_returns_400(judge: Launched) -> None:
    async def conversation() -> tuple[int, str]:
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{judge.origin}/config", json={"latency": 1}) as response,
        ):
            return response.status, await response.text()

    status, text = asyncio.run(conversation())
    assert status == 400
    assert "latency_ms" in text


def test_embeddings_are_equal_for_equal_texts(judge: Launched) -> None:
    async def conversation() -> list[list[float]]:
        body = {"model": "m", "input": ["trams run", "trams run", "something else"]}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{judge.base_url}/embeddings", json=body) as response,
        ):
            return [entry["embedding"] for entry in (await response.json())["data"]]

    one, same, other = asyncio.run(conversation())
    assert one == same != other
    assert sum(x * x for x in one) == pytest.approx(1, abs=1e-4)


def test_requests_in_pieces_are_put_together(judge: Launched) -> None:
    async def conversation() -> bytes:
        host, port = judge.origin.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        body = json.dumps(request(1)).encode()
        raw = (
            b"POST /v1/chat/completions HTTP/1.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
            % len(body)
            + body
        )
        for start in range(0, len(raw), 700):
            writer.write(raw[start : start + 700])
            await writer.drain()
            await asyncio.sleep(0.01)
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        return answer

    assert asyncio.run(conversation()).startswith(b"HTTP/1.1 200 OK")


def test_verdicts_are_the_same_under_injected_faults(judge: Launched) -> None:
    asked = [
        JudgeClaims(
            evidence_texts=(f"Number {n}.",), claims=tuple(f"Claim {n}.{m}." for m in range(n % 5 + 1))
        )
        for n in range(60)
    ]

    async def verdicts() -> list[list[str]]:
        speaker = LLMJudge(provider=OpenAI(base_url=judge.base_url), attempts=8)
        async with open_transport(timeout=60.0, retry=Retry(base=0.01)):
            replies = await asyncio.gather(*(speaker.ask(prompt) for prompt in asked))
        return [[verdict.verdict for verdict in reply.answer.verdicts] for reply in replies]

    calm = asyncio.run(verdicts())
    judge.configure(invalid_json=0.1, error_500=0.1, reset=0.05, seed=1)
    assert asyncio.run(verdicts()) == calm
    stats = judge.stats()
    assert min(stats["invalid_json"], stats["error_500"], stats["reset"]) > 0
    assert {word for words in calm for word in words} == {"yes", "no", "idk"}
