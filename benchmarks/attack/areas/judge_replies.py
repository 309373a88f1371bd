"""Replies of a judge's server."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

from benchmarks.attack.inputs import text, value
from benchmarks.attack.watch import Attempt
from ragstone.errors import RagstoneError
from ragstone.judges import LLMJudge
from ragstone.prompts import ExtractClaims, JudgeClaims, Prompt, RatePassage
from ragstone.providers import Completion, Request
from ragstone.result import Usage


@dataclass(frozen=True)
class _Hostile:
    """A provider whose server returns arbitrary answers."""

    reply: str
    name = "hostile"
    model = "hostile"
    supports_structured_outputs = True
    supports_log_probs = False
    supports_multimodal = False

    async def complete(self, request: Request) -> Completion:
        del request
        return Completion(self.reply, Usage(calls=1), self.model)


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Responses of a judge's server."""
    del folder
    prompts: tuple[Prompt[Any], ...] = (
        JudgeClaims(evidence_texts=("a passage",), claims=("one", "two")),
        ExtractClaims(text="One. Two."),
        RatePassage(input="q", passage="p"),
    )
    keys = ("verdicts", "claims", "reason", "score", "verdict", "rating", "label", "items")
    for number in range(count):
        if number % 3:
            reply = json.dumps({rng.choice(keys): value(rng) for _ in range(rng.randrange(1, 4))})
        else:
            reply = text(rng)

        def tried(reply: str = reply, number: int = number) -> None:
            judge = LLMJudge(provider=_Hostile(reply), attempts=2)
            with suppress(RagstoneError):
                asyncio.run(judge.ask(cast("Prompt[Any]", prompts[number % len(prompts)])))

        yield repr(reply[:80]), tried
