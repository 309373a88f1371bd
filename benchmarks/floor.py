"""What a bare aiohttp client and the judge server cost: the floor under every other figure.

    python -m benchmarks.floor --calls 20000 --in-flight 64

Prints calls a second, CPU of client and server a call, on prompts the server meets first and meets again.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any

import aiohttp

from benchmarks.launch import Launched, launched

PASSAGE = (
    "The Brook Street depot opened in {year}. It repairs {n} trams a week; a third of them have low floors. "
)


def request(number: int) -> dict[str, Any]:
    """A call like ragstone's on the claims of an answer, about 3 kB, unlike every other number's."""
    passages = "\n".join(f"{i}| {PASSAGE.format(year=1900 + i, n=number) * 3}" for i in range(1, 6))
    claims = "\n".join(f"{i}| The depot repairs {number + i} trams a week." for i in range(1, 6))
    entry = {
        "type": "object",
        "properties": {
            "reason": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "verdict": {"type": "string", "enum": ["yes", "no", "idk"]},
        },
        "required": ["reason", "verdict"],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {"verdicts": {"type": "array", "items": entry}},
        "required": ["verdicts"],
        "additionalProperties": False,
    }
    return {
        "model": "gpt-4o-mini",
        "temperature": 0,
        "messages": [
            {"role": "system", "content": "You judge texts exactly and impartially. " * 10},
            {
                "role": "user",
                "content": f"Decide: yes, no or idk.\n\nevidence:\n{passages}\n\nclaims:\n{claims}",
            },
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": schema},
        },
    }


async def ask_all(url: str, bodies: Sequence[dict[str, Any]], in_flight: int) -> None:
    """Send every body, with a limited number of requests at a time, and parse every answer down to its verdicts."""
    pending = iter(bodies)
    connector = aiohttp.TCPConnector(limit=in_flight)
    async with aiohttp.ClientSession(
        connector=connector, headers={"Authorization": "Bearer none"}
    ) as session:

        async def worker() -> None:
            for body in pending:
                async with session.post(url, json=body) as response:
                    answer = await response.json()
                verdicts = json.loads(answer["choices"][0]["message"]["content"])["verdicts"]
                if len(verdicts) != 5:
                    raise ValueError(f"5 claims, {len(verdicts)} verdicts")

        await asyncio.gather(*(worker() for _ in range(in_flight)))


def measure(judge: Launched, bodies: Sequence[dict[str, Any]], in_flight: int) -> dict[str, float]:
    """Run over the bodies once; return calls per second, and CPU time per call of both sides."""
    judge.reset()
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(ask_all(f"{judge.base_url}/chat/completions", bodies, in_flight))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    stats = judge.stats()
    calls = stats["calls"]
    return {
        "calls": calls,
        "calls_per_s": calls / wall,
        "client_cpu_us": cpu / calls * 1e6,
        "server_cpu_us": stats["cpu_seconds"] / calls * 1e6,
        "connections": stats["connections"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.floor", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--in-flight", type=int, default=64)
    options = parser.parse_args()
    bodies = [request(number) for number in range(options.calls)]
    with launched() as judge:
        for name in ("first sight", "again"):
            row = measure(judge, bodies, options.in_flight)
            print(f"{name:12}", "  ".join(f"{key} {value:,.1f}" for key, value in row.items()))


if __name__ == "__main__":
    main()
