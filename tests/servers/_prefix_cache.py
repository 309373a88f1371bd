"""What a vendor's prefix cache would have kept: the beginning that a prompt has in common with an earlier one.

The prompt is what the model reads, the answer's schema included. OpenAI and Anthropic put the schema (the tools) in
front of the messages, so that prompts with different schemas share nothing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

BLOCK_TOKENS = 128
FIRST_TOKENS = 1024
CHARACTERS_PER_TOKEN = 4


def schema_first(schema: Mapping[str, Any] | None, text: str) -> str:
    """The prompt as OpenAI and Anthropic build it, the schema as it was sent."""
    return text if schema is None else f"{json.dumps(schema, separators=(',', ':'))}\n{text}"


@dataclass
class PrefixCache:
    """Remembers prompts: in blocks of 128 tokens from 1,024 on, as OpenAI, or what is marked, as Anthropic."""

    known: set[bytes] = field(default_factory=set)

    def read(self, prompt: str) -> int:
        """How many tokens of this prompt's beginning are known, in whole blocks; it is known from now on."""
        hit = 0
        for tokens, digest in _beginnings(prompt):
            if digest in self.known:
                hit = tokens
            self.known.add(digest)
        return hit

    def read_marked(self, beginnings: Iterable[str]) -> tuple[int, int]:
        """Tokens read and written of the beginnings that a prompt marks, each known as a whole or not at all."""
        read = longest = 0
        for text in beginnings:
            tokens = len(text) // CHARACTERS_PER_TOKEN
            if tokens < FIRST_TOKENS:
                continue
            digest = blake2b(text.encode(), digest_size=16).digest()
            longest = max(longest, tokens)
            if digest in self.known:
                read = max(read, tokens)
            self.known.add(digest)
        return read, longest - read


def _beginnings(prompt: str) -> Iterator[tuple[int, bytes]]:
    block = BLOCK_TOKENS * CHARACTERS_PER_TOKEN
    running = blake2b(digest_size=16)
    for start in range(0, len(prompt) - block + 1, block):
        running.update(prompt[start : start + block].encode())
        tokens = (start + block) // CHARACTERS_PER_TOKEN
        if tokens >= FIRST_TOKENS:
            yield tokens, running.digest()
