"""Files passed as datasets."""

import gzip
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from benchmarks.attack.inputs import TEXTS, text, value
from benchmarks.attack.watch import Attempt
from ragstone.datasets import read_dataset
from ragstone.errors import UsageError


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Files passed as datasets."""
    for number in range(count):
        kind = rng.choice((".jsonl", ".json", ".csv", ".tsv", ".parquet", ".jsonl.gz"))
        rows = [value(rng) for _ in range(rng.randrange(1, 5))]
        written = "\n".join(json.dumps({"input": text(rng), "actual_output": row}) for row in rows)
        content = rng.choice((written, json.dumps(rows), text(rng) * 3, ",".join(TEXTS[:12]))).encode(
            "utf-8", "replace"
        )
        path = folder / f"d{number % 8}{kind}"

        def tried(path: Path = path, content: bytes = content) -> None:
            path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
            with suppress(UsageError):
                for _ in read_dataset(str(path)):
                    pass

        yield f"{path.name}: {content[:80]!r}", tried
