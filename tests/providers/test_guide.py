"""The guide on providers runs as it is printed."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from tests.providers.asking import request
from tests.providers.http.test_session import plain_server
from tests.testing.for_each import for_each

from ragstone.providers import Provider

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "providers.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run_block(block: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "guide"}
    exec(compile(block, str(GUIDE), "exec"), names)  # noqa: S102  (our own guide)
    return names


@for_each("block", BLOCKS, ids=lambda block: block.split("\n")[0])
def test_every_block_runs(block: str) -> None:
    run_block(block)


def test_the_guides_own_provider_answers() -> None:
    names = run_block(next(block for block in BLOCKS if "class House" in block))
    said = json.dumps({"text": "{}", "read": 7, "written": 1}).encode()
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(said), said)

    async def main() -> Any:
        async with plain_server(answer, []) as port:
            house = names["House"](url=f"http://127.0.0.1:{port}/generate")
            assert isinstance(house, Provider)
            return await house.complete(request())

    completion = asyncio.run(main())
    assert (completion.text, completion.usage.input_tokens, completion.model) == ("{}", 7, "house-7b")


def test_the_guides_own_provider_is_as_short_as_it_says() -> None:
    block = next(block for block in BLOCKS if "class House" in block)
    assert len([line for line in block.split("\n") if line.strip()]) <= 20
