"""What a vendor's prefix cache would have kept: the blocks in which a prompt begins like an earlier one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

BLOCK_TOKENS = 128
FIRST_TOKENS = 1024
CHARACTERS_PER_TOKEN = 4


@dataclass
class PrefixCache:
    """Remembers the beginnings of prompts, in blocks of 128 tokens from 1,024 on, as OpenAI documents it."""

    known: set[bytes] = field(default_factory=set)

    def read(self, prompt: str) -> int:
        """How many tokens of this prompt's beginning are known; it is known from now on."""
        hit = 0
        for tokens, digest in _beginnings(prompt):
            if digest in self.known:
                hit = tokens
            self.known.add(digest)
        return hit


def _beginnings(prompt: str) -> Iterator[tuple[int, bytes]]:
    block = BLOCK_TOKENS * CHARACTERS_PER_TOKEN
    running = blake2b(digest_size=16)
    for start in range(0, len(prompt) - block + 1, block):
        running.update(prompt[start : start + block].encode())
        tokens = (start + block) // CHARACTERS_PER_TOKEN
        if tokens >= FIRST_TOKENS:
            yield tokens, running.digest()
