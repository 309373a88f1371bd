"""The packaged demo with a worse retriever: the best passage is lost, and what is left comes back to front.

Run it to write the dataset, judge both, and compare:

    python examples/worse_retriever.py worse.jsonl
    ragstone run demo --output good.json
    ragstone run worse.jsonl --output worse.json
    ragstone compare good.json worse.json --fail-on-regression
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from ragstone import TestCase, load_dataset


def worse(cases: Iterator[TestCase]) -> Iterator[TestCase]:
    """Yield each case as a retriever would serve it that misses the best passage and ranks badly.

    The answer stays the same: what changes is the evidence it can rest on.
    """
    for case in cases:
        passages = case.retrieval_context or ()
        left = passages[1:] if len(passages) > 1 else passages
        yield case.model_copy(update={"retrieval_context": tuple(reversed(left))})


def main(path: str) -> None:
    """Write the dataset to `path` as JSON lines."""
    rows = (case.model_dump_json(exclude_none=True) for case in worse(iter(load_dataset("demo"))))
    Path(path).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "worse.jsonl")
