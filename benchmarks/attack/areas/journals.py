"""Journals of drafts, and decisions of reviews: what is valid stays, whatever else the file holds."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.attack.mutations import mutated_lines
from benchmarks.attack.watch import Attempt
from ragstone.drafts.journal import DraftJournal
from ragstone.drafts.review import DraftReview
from ragstone.errors import UsageError

_JOURNAL: list[Any] = [
    {"stage": "documents", "digest": "a1", "count": 3},
    *(
        {"key": f"k{n}", "prompt": "p", "reply": {"content": "{}", "cost": 0.01, "usage": {"calls": 1}}}
        for n in range(5)
    ),
    {"stage": "candidates", "digest": "b2", "count": 9},
]
_DECISIONS: list[Any] = [
    {
        "case_id": f"c{n}",
        "state": state,
        "by": "Ann",
        "at": "2026-01-01T00:00:00Z",
        "input": "q",
        "expected_output": "a",
    }
    for n, state in enumerate(("keep", "edit", "drop", "open"))
]


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield mutated journals and reviews."""
    rows = [
        {
            "id": f"c{n}",
            "input": f"What is {n}?",
            "expected_output": "a",
            "metadata": {"draft": {"kind": "single"}},
        }
        for n in range(4)
    ]
    (folder / "set.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for number in range(count):
        if number % 2:
            content = mutated_lines(_JOURNAL, rng)
            yield content[:80], lambda content=content: _journal(folder / "set.journal", content)
        else:
            content = mutated_lines(_DECISIONS, rng)
            yield content[:80], lambda content=content: _review(folder, content)


def _journal(path: Path, content: str) -> None:
    data = content.encode("utf-8", "replace")
    path.write_bytes(data)
    with suppress(UsageError):
        journal = DraftJournal(path)
        journal.recall("k1")
        with suppress(UsageError):
            journal.reach("documents", "a1", 3)
    kept = path.read_bytes()
    if not kept.startswith(data[: data.rfind(b"\n") + 1]):
        raise AssertionError(f"lines were lost: {len(data)} bytes before, {len(kept)} after")


def _review(folder: Path, content: str) -> None:
    path = folder / "set.jsonl.review"
    path.write_text(content, "utf-8", errors="replace", newline="")
    with suppress(UsageError):
        review = DraftReview(folder / "set.jsonl")
        review.summary()
