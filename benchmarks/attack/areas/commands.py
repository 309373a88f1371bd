"""Commands over mutated files: exit code 70 is a fault of ragstone's own."""

import inspect
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from click.testing import CliRunner

from benchmarks.attack.mutations import mutated_bytes, mutated_json, mutated_lines
from benchmarks.attack.samples import HTML, REPORT, ROWS, TESTS, documents
from benchmarks.attack.watch import Attempt
from ragstone.cli import ragstone
from ragstone.findings.gate.baseline_file import BaselineFile
from ragstone.findings.load import load_report

_FAULT = 70
_APART: dict[str, Any] = (
    {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
)


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Yield commands, each with a mutated file."""
    (folder / "good.json").write_text(json.dumps(REPORT))
    baseline = json.loads(BaselineFile.of(load_report(folder / "good.json"), "faq").model_dump_json())
    recorded = sorted((TESTS / "findings" / "imported" / "recorded").glob("*-*.json*"))
    traces = sorted((TESTS / "traces" / "fixtures").glob("recorded_*.jsonl"))
    for number in range(count):
        kind = number % 7
        arguments: Sequence[object]
        bad, good = folder / f"bad{number % 4}", folder / "good.json"
        if kind == 0:
            path, content = bad.with_suffix(".json"), mutated_json(documents(rng.choice(recorded))[0], rng)
            arguments = ["gate", path, "--results", "--update", "--baseline", folder / "new.json", "-q"]
        elif kind == 1:
            path, content = bad.with_suffix(".json"), mutated_json(baseline, rng)
            arguments = ["gate", good, "--results", "--baseline", path, "-o", folder / "gate.md"]
        elif kind == 2:
            path, content = bad.with_suffix(".json"), mutated_json(REPORT, rng)
            arguments = rng.choice(
                (["compare", good, path], ["explain", path, "-o", folder / "why.md"], ["agree", path])
            )
        elif kind == 3:
            path, content = bad.with_suffix(".jsonl"), mutated_lines(ROWS, rng)
            arguments = ["run", path, "-m", "exact_match", "--no-store", "-o", folder / "out.html"]
        elif kind == 4:
            path, content = bad.with_suffix(".jsonl"), mutated_lines(documents(rng.choice(traces)), rng)
            arguments = ["run", path, "-m", "exact_match", "--no-store", "-q"]
        elif kind == 5:
            path, content = bad.with_suffix(".html"), mutated_bytes(HTML, rng).decode("utf-8", "replace")
            arguments = [
                "draft",
                path,
                "--no-llm",
                "-q",
                "--size",
                "4",
                "-o",
                folder / f"drafted{number}.jsonl",
            ]
        else:
            path, content = (
                folder / "ragstone.toml",
                f"{rng.choice(('store', 'judge', 'preset', 'cache'))} = {json.dumps(mutated_json({'a': 'b'}, rng))}\n",
            )
            arguments = ["config"]
        yield (
            f"{' '.join(map(str, arguments))}: {content[:60]!r}",
            lambda path=path, content=content, arguments=arguments: _run(path, content, arguments),
        )


def _run(path: Path, content: str, arguments: Sequence[object]) -> None:
    path.write_text(content, "utf-8", errors="replace", newline="")
    found = CliRunner(**_APART).invoke(
        ragstone, [str(argument) for argument in arguments], prog_name="ragstone"
    )
    if path.suffix == ".toml":
        path.unlink()
    if found.exit_code == _FAULT or (found.exception and not isinstance(found.exception, SystemExit)):
        raise AssertionError(f"exit code {found.exit_code}: {found.stderr[-300:]} {found.exception!r}")
