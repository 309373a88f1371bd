"""Documents from which questions are drafted: Markdown, HTML, passages, plain text."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from benchmarks.attack.mutations import mutated_bytes, mutated_lines
from benchmarks.attack.samples import CHUNKS, HTML, TESTS
from benchmarks.attack.watch import Attempt
from ragstone.drafts import draft
from ragstone.drafts.reading.documents import read_documents
from ragstone.errors import UsageError


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield mutated documents; from each tenth, questions are drafted."""
    pages = [path.read_bytes() for path in sorted((TESTS.parent / "docs").rglob("*.md"))]
    for number in range(count):
        suffix = rng.choice((".md", ".html", ".html", ".jsonl", ".txt"))
        if suffix == ".jsonl":
            content = mutated_lines(CHUNKS, rng).encode("utf-8", "replace")
        else:
            content = mutated_bytes(HTML if suffix == ".html" else rng.choice(pages)[:12_000], rng)
        path = folder / f"document{number % 8}{suffix}"
        yield (
            f"{path.name}: {json.dumps(content[:80].decode('latin-1'))}",
            lambda path=path, content=content, number=number: _read(path, content, asks=number % 10 == 0),
        )


def _read(path: Path, content: bytes, *, asks: bool) -> None:
    path.write_bytes(content)
    with suppress(UsageError):
        if asks:
            draft(path, size=5, judge=None)
        else:
            read_documents(path)
