"""One claim per row through `JudgeClaims`: at least 99 of 100 measured, in at most 105 calls."""

import argparse
import asyncio
import gzip
import json
import random
import time
from pathlib import Path
from typing import Any

from benchmarks.llama import LlamaServer
from benchmarks.real_model.figures import judge
from ragstone.errors import JudgeError
from ragstone.judges import LLMJudge
from ragstone.prompts import JudgeClaims
from ragstone.providers import open_transport
from ragstone.result import Usage

_MEASURED, _CALLS = 0.99, 1.05


def run(options: argparse.Namespace) -> bool:
    """Judge a balanced sample of the rows."""
    rows = _balanced(Path(options.data), options.rows)
    with LlamaServer() as server:
        begin = time.monotonic()
        answered, calls, with_probability = asyncio.run(_ask_all(judge(server), rows))
    print(
        f"measured {answered} of {len(rows)} in {calls} calls, {time.monotonic() - begin:.0f} s; "
        f"{with_probability} with a probability from the verdict's token"
    )
    return answered >= _MEASURED * len(rows) and calls <= _CALLS * len(rows)


def _balanced(path: Path, count: int) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(0).shuffle(rows)
    return [row for label in (1, 0) for row in [row for row in rows if row["label"] == label][: count // 2]]


async def _ask_all(model: LLMJudge, rows: list[dict[str, Any]]) -> tuple[int, int, int]:
    answered = calls = with_probability = 0
    async with open_transport(timeout=900):
        for row in rows:
            context = row["context"]
            texts = (context,) if isinstance(context, str) else tuple(context)
            try:
                reply = await model.ask(JudgeClaims(evidence_texts=texts, claims=(row["text"],)))
            except JudgeError as error:
                print(f"  {error}")
                calls += error.spent.calls if isinstance(error.spent, Usage) else 1
                continue
            answered, calls = answered + 1, calls + reply.usage.calls
            with_probability += reply.answer.verdicts[0].evidence.probability is not None
    return answered, calls, with_probability
