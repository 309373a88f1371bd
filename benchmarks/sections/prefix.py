"""What prefix caches keep of a test case's prompts, by each vendor's rules, with the answer's schema counted.

OpenAI puts the schema of a structured answer in front of the messages and caches from 1,024 tokens on, in steps of
128. Anthropic puts tools first, then the system message, and caches up to a mark from 1,024 tokens on: writing costs
1.25 times the price of a token, reading a tenth of it. vLLM and llama.cpp decode to a grammar that no prompt contains,
and keep any prefix in blocks of 16 tokens. Tokens are characters / 4. Prompts that are asked at the same time count as
if they were asked one after the other: a figure is what a cache can keep, not what it keeps on a cold start.

"Schema in words": the schema stands behind the passages and not in front of them, as with
`Anthropic(prompt_cache=True)`. Why that is not the rule: `docs/adr/0020-a-schema-for-each-prompt.md`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

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

_FIRST, _BLOCK = 1024, 128
_RADIX_BLOCK = 16
_WRITE, _READ = 1.25, 0.1
"""What a token costs at Anthropic that is written to the cache, or read from it; 1 is the price of any other."""


class Kept(NamedTuple):
    """What a cache does with the prompts of a run.

    Attributes:
        read: tokens found in the cache.
        written: tokens put there, where that has a price.
        sent: all tokens.
    """

    read: int
    written: int
    sent: int

    @property
    def price(self) -> float:
        """What the prompts cost at Anthropic, as a share of their price without a cache."""
        anew = self.sent - self.read - self.written
        return (anew + self.written * _WRITE + self.read * _READ) / self.sent


Rule = Callable[[Sequence[Request]], Kept]


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
            kept = rule(requests)
            beside = f"prompt tokens a case: {kept.sent / len(data):,.0f}"
            if kept.written:
                beside += f"; price of the prompts: {kept.price:.2f}"
            yield Row(f"{vendor}{name}", f"{kept.read / kept.sent:.0%}", beside, None)


def shared(texts: Sequence[str], *, block: int, first: int) -> Kept:
    """Return what a cache keeps that knows every beginning of whole blocks, from `first` tokens on."""
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
    return Kept(kept, 0, whole)


def marked(requests: Sequence[Request], *, in_words: bool) -> Kept:
    """Return what a cache keeps of what each prompt marks: all that stands before the end of its first block."""
    known: set[str] = set()
    read = written = whole = 0
    for one in requests:
        head, gap, rest = one.user.partition("\n\n")
        schema = _schema(one)
        beginning = ("" if in_words else schema) + one.system + head + gap
        tokens = len(beginning) // 4
        whole += len(schema + one.system + head + gap + rest) // 4
        if tokens < _FIRST:
            continue
        if beginning in known:
            read += tokens
        else:
            written += tokens
            known.add(beginning)
    return Kept(read, written, whole)


def _openai(requests: Sequence[Request]) -> Kept:
    return shared([_schema(one) + one.system + one.user for one in requests], block=_BLOCK, first=_FIRST)


def _openai_in_words(requests: Sequence[Request]) -> Kept:
    return shared([one.system + one.user + _schema(one) for one in requests], block=_BLOCK, first=_FIRST)


def _radix(requests: Sequence[Request]) -> Kept:
    return shared([one.system + one.user for one in requests], block=_RADIX_BLOCK, first=_RADIX_BLOCK)


def _schema(request: Request) -> str:
    return json.dumps(request.schema, separators=(",", ":"))


RULES: dict[str, Rule] = {
    "OpenAI": _openai,
    "OpenAI, schema in words": _openai_in_words,
    "Anthropic, passages marked": lambda requests: marked(requests, in_words=False),
    "Anthropic, schema in words": lambda requests: marked(requests, in_words=True),
    "vLLM, llama.cpp": _radix,
}
