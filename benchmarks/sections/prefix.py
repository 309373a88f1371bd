"""Share of a test case's prompts that prefix caches keep, by each vendor's rules, with the answer's schema counted.

OpenAI puts the schema of a structured answer in front of the messages and caches from 1,024 tokens on, in steps of
128. Anthropic puts tools first, then the system message, and caches up to a mark from 1,024 tokens on: writing costs
1.25 times the price of a token, reading a tenth of it. vLLM and llama.cpp decode to a grammar that no prompt contains,
and keep any prefix in blocks of 16 tokens. Tokens are characters / 4. Concurrent prompts count as
if they were sent one after the other: a figure is what a cache can keep, not what it keeps on a cold start.

"All tools": each request lists the tools of all prompts of its case and `tool_choice` names one. A changed
`tool_choice` makes cached messages void, so the passages stand in the system message. Counts in the schemas are taken
as known from the beginning, which they are not: what such a request keeps is an upper bound.

"Schema in words": the schema stands behind the passages and not in front of them, as with
`Anthropic(prompt_cache=True)`. Why that is not the rule: `docs/adr/0020-a-schema-for-each-prompt.md`.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
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
"""Number of repetitions of the passages for the rows with long passages."""

_FIRST, _BLOCK = 1024, 128
_RADIX_BLOCK = 16
_WRITE, _READ = 1.25, 0.1
"""Price at Anthropic of a token written to the cache, and of one read from it, relative to an uncached token."""


class Kept(NamedTuple):
    """Cache usage of the prompts of a run.

    Attributes:
        read: tokens found in the cache.
        written: tokens written to it, if that has a price.
        sent: all tokens.
    """

    read: int
    written: int
    sent: int

    @property
    def price(self) -> float:
        """Price of the prompts at Anthropic, as a share of their price without a cache."""
        anew = self.sent - self.read - self.written
        return (anew + self.written * _WRITE + self.read * _READ) / self.sent


Rule = Callable[[Sequence[Sequence[Request]]], Kept]
"""Function from the requests of each case to the cache usage."""


@dataclass(frozen=True)
class _Recorder:
    """A provider that records the requests and answers them by their schemas."""

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
        requests = [recorded([case]) for case in data]
        for vendor, rule in RULES.items():
            kept = rule(requests)
            beside = f"prompt tokens a case: {kept.sent / len(data):,.0f}"
            if kept.written:
                paid = kept.price * kept.sent / len(data)
                beside += f"; price of the prompts: {kept.price:.2f}, as {paid:,.0f} tokens"
            yield Row(f"{vendor}{name}", f"{kept.read / kept.sent:.0%}", beside, None)


def shared(texts: Sequence[str], *, block: int, first: int) -> Kept:
    """Return the usage of a cache that stores every prefix of whole blocks from `first` tokens on."""
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
    """Return the usage of a cache with a mark at the end of each prompt's first block."""
    return _kept(
        ("" if in_words else _schema(one), one, _schema(one) if in_words else "") for one in requests
    )


def all_tools(cases: Sequence[Sequence[Request]]) -> Kept:
    """Return the usage of Anthropic's cache if each request begins with all tools of its case, then the passages."""
    tools = ["".join(dict.fromkeys(map(_schema, requests))) for requests in cases]
    return _kept((before, one, "") for before, requests in zip(tools, cases, strict=True) for one in requests)


def _kept(requests: Iterable[tuple[str, Request, str]]) -> Kept:
    """Count requests, each with the text before and behind it; the mark is at the end of the first block."""
    known: set[str] = set()
    read = written = whole = 0
    for before, one, behind in requests:
        head, gap, rest = one.user.partition("\n\n")
        beginning = before + one.system + head + gap
        tokens = len(beginning) // 4
        whole += len(beginning + rest + behind) // 4
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


def _each(rule: Callable[[Sequence[Request]], Kept]) -> Rule:
    """Return a rule that looks at requests alone, whichever case they are of."""
    return lambda cases: rule([one for requests in cases for one in requests])


RULES: dict[str, Rule] = {
    "OpenAI": _each(_openai),
    "OpenAI, schema in words": _each(_openai_in_words),
    "Anthropic, passages marked": _each(lambda requests: marked(requests, in_words=False)),
    "Anthropic, all tools": all_tools,
    "Anthropic, schema in words": _each(lambda requests: marked(requests, in_words=True)),
    "vLLM, llama.cpp": _each(_radix),
}
