"""A dataset of a house's own: tickets of a help desk, as `ragstone run tickets:export.txt` reads them.

A ticket is a block of lines that begin with `Q:`, `A:` or, for what the answer was drawn from, `P:`; an empty line
ends it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any


def tickets(path: str) -> Iterator[dict[str, Any]]:
    """Yield one row a ticket, by the names that ragstone knows; `path` is what stands behind `tickets:`."""
    for number, block in enumerate(Path(path).read_text(encoding="utf-8").split("\n\n"), 1):
        lines = [line.partition(": ") for line in block.strip().splitlines()]
        said = {sign: [text for name, _, text in lines if name == sign] for sign in "QAP"}
        yield {
            "id": f"ticket-{number}",
            "question": " ".join(said["Q"]),
            "answer": " ".join(said["A"]),
            "contexts": said["P"],
        }
