"""What prefix caches keep of a test case's prompts, by each vendor's rules, with the answer's schema counted.

OpenAI puts the schema of a structured answer in front of the messages and caches from 1,024 tokens on, in steps of
128. Anthropic puts tools first, then the system message, and caches up to a mark from 1,024 tokens on. vLLM and
llama.cpp decode to a grammar that no prompt contains, and keep any prefix in blocks of 16 tokens. Tokens are
characters / 4. Prompts that are asked at the same time count as if they were asked one after the other: a figure is
what a cache can keep, not what it keeps on a cold start.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.answers import answer, resolved
from benchmarks.cases import cases
from benchmarks.measure import Setting
from benchmarks.table import Row
from ragstone import TestCase, evaluate
from ragstone.judges import LLMJudge
from ragstone.providers import Completion, Request
from ragstone.result import Usage

TITLE = "Prompt tokens that a prefix cache keeps"
_CASES = 24
_LONG = 10
"""How often the passages are repeated for the rows with long passages."""

Rule = Callable[[Sequence[Request]], tuple[int, int]]


@dataclass(frozen=True)
class _Recorder:
    """A provider that keeps the requests and answers them by their schemas."""

    requests: list[Request] = field(default_factory=list[Request], compare=False)
    name: str = "recorded"
    model: str = "none"
    supports_structured_outputs: bool = True
    supports_log_probs: bool = False
    supports_multimodal: bool = False

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        return Completion(
            json.dumps(answer(resolved(request.schema), request.user)), Usage(calls=1), self.model
        )


def recorded(data: Sequence[TestCase]) -> list[Request]:
    """Return the requests of the preset `rag`, case by case."""
    recorder = _Recorder()
    evaluate(data, preset="rag", judge=LLMJudge(provider=recorder), concurrency=1, store=False)
    return recorder.requests


def rows(setting: Setting) -> Iterator[Row]:
    """Yield a row for each vendor, with passages as they are and ten times as long."""
    short = cases(min(_CASES, setting.cases))
    long = [
        case.model_copy(
            update={"retrieval_context": tuple(" ".join([text] * _LONG) for text in case.passages())}
        )
        for case in short
    ]
    for name, data in (("", short), (f", passages x {_LONG}", long)):
        requests = recorded(data)
        for vendor, rule in RULES.items():
            kept, whole = rule(requests)
            sent = whole / len(data)
            yield Row(f"{vendor}{name}", f"{kept / whole:.0%}", f"prompt tokens a case: {sent:,.0f}", None)


def shared(texts: Sequence[str], *, block: int, first: int) -> tuple[int, int]:
    """Return tokens found in the cache and all tokens, where blocks are kept from `first` tokens on."""
    known: set[int] = set()
    kept = whole = 0
    for text in texts:
        whole += len(text) // 4
        hit = 0
        for end in range(block, len(text) // 4 + 1, block):
            if end < first:
                continue
            beginning = hash(text[: end * 4])
            if beginning in known:
                hit = end
            known.add(beginning)
        kept += hit
    return kept, whole


def _openai(requests: Sequence[Request]) -> tuple[int, int]:
    return shared([_schema(one) + one.system + one.user for one in requests], block=128, first=1024)


def _anthropic(requests: Sequence[Request]) -> tuple[int, int]:
    """Count marks at the end of the system message and at the end of what a case's prompts share."""
    return shared([_schema(one) + one.system + one.user for one in requests], block=1, first=1024)


def _radix(requests: Sequence[Request]) -> tuple[int, int]:
    return shared([one.system + one.user for one in requests], block=16, first=16)


def _schema(request: Request) -> str:
    return json.dumps(request.schema, separators=(",", ":"))


RULES: dict[str, Rule] = {
    "OpenAI": _openai,
    "Anthropic, at best": _anthropic,
    "vLLM, llama.cpp": _radix,
}
