"""Files of results, of ragstone and of other tools: read, shown in every format, compared."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from benchmarks.attack.mutations import mutated_bytes, mutated_json, mutated_lines
from benchmarks.attack.samples import REPORT, TESTS, documents
from benchmarks.attack.watch import Attempt
from ragstone.errors import UsageError
from ragstone.findings.comparison import compare
from ragstone.findings.load import load_report
from ragstone.findings.registry import write

_FORMATS = (".md", ".json", ".html", ".csv", ".jsonl", ".xml")


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield mutated files of results."""
    recorded = sorted((TESTS / "findings" / "imported" / "recorded").glob("*-*.*"))
    (folder / "before.json").write_text(json.dumps(REPORT))
    for number in range(count):
        source = rng.choice((None, *recorded))
        if source is None:
            suffix, content = ".json", mutated_json(REPORT, rng)
        elif source.suffix == ".csv":
            suffix, content = ".csv", mutated_bytes(source.read_bytes(), rng).decode("utf-8", "replace")
        else:
            lines = documents(source)
            suffix = source.suffix
            content = mutated_json(lines[0], rng) if len(lines) == 1 else mutated_lines(lines, rng)
        path = folder / f"results{number % 8}{suffix}"
        shown = rng.choice(_FORMATS)
        yield (
            f"{'report' if source is None else source.name} as {shown}: {content[:60]!r}",
            lambda path=path, content=content, shown=shown: _read(path, content, shown),
        )


def _read(path: Path, content: str, shown: str) -> None:
    path.write_text(content, "utf-8", errors="replace", newline="")
    with suppress(UsageError):
        report = load_report(path)
        write(report, path.with_name(f"shown{shown}"))
        compared = compare(path.with_name("before.json"), report)
        compared.to_markdown()
        compared.to_json()
