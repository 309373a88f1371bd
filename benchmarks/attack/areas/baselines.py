"""Baselines of a gate."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from benchmarks.attack.mutations import mutated_json
from benchmarks.attack.samples import REPORT
from benchmarks.attack.watch import Attempt
from ragstone.errors import UsageError
from ragstone.findings.gate import GateBaseline, decide
from ragstone.findings.gate.baseline_file import BaselineFile, read_baseline
from ragstone.findings.gate.decision import compare_with_baseline
from ragstone.findings.load import load_report


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield mutated baselines; the gate decides about a valid run."""
    (folder / "run.json").write_text(json.dumps(REPORT))
    report = load_report(folder / "run.json")
    valid = json.loads(BaselineFile.of(report, "faq").model_dump_json())

    def tried(content: str) -> None:
        path = folder / "baseline.json"
        path.write_text(content, "utf-8", errors="replace")
        with suppress(UsageError):
            found = read_baseline(path)
            baseline = GateBaseline(found.report(), str(path), found.test_set)
            decision = decide(baseline, report, compare_with_baseline(baseline, report), name="faq")
            decision.to_markdown()
            decision.to_json()

    for _ in range(count):
        content = mutated_json(valid, rng)
        yield content[:80], lambda content=content: tried(content)
