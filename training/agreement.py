"""Build the tables of agreement between people and the embedded judge in one command.

    make agreement       or: python -m training.agreement

Needs the labelled data, in the folder RAGSTONE_LABELLED_DATA (by default ../shared/data). Pairs, features, models and
readings are first built in build/training, in half an hour of one core, and rebuilt only if their code or data changed.
Each run prints the test part and counts as a look at it.
"""

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ragstone import evaluate, load_dataset
from ragstone.cli._planted_flaws import flaw_report
from ragstone.cli.demo import DATASET
from training import (
    adversarial,
    bands,
    chances,
    decision,
    everyday,
    judged_test_part,
    languages,
    preferences,
    prepare,
    readings,
    tasks,
    train,
)
from training.labelled_data import FOLDER
from training.paths import (
    CHANCES,
    DECISION,
    FEATURES,
    MODELS,
    READINGS,
    ROOT,
    STAMPS,
    WEIGHTS,
    folder,
)

_WORD_MODEL_MODULES = ("labelled_data", "judgements", "prepare", "tables", "baseline", "fit", "train")
STEPS: tuple[tuple[Path, Callable[[], None], tuple[str, ...]], ...] = (
    (FEATURES, prepare.main, _WORD_MODEL_MODULES[:5]),
    (MODELS, train.main, _WORD_MODEL_MODULES),
    (CHANCES, chances.main, (*_WORD_MODEL_MODULES, "chances")),
    (READINGS, readings.main, ("labelled_data", "claims", "readings")),
    (DECISION, decision.main, ("labelled_data", "claims", "readings", "decision")),
)
"""The result of each step, its function, and the modules of this folder that it depends on."""


def dependency_hash(modules: Sequence[str]) -> str:
    """Return a hash of the judge's code, of some training modules, and of the names and sizes of the data files."""
    code = [
        *sorted(WEIGHTS.rglob("*.py")),
        *sorted(WEIGHTS.glob("encoder.sha256")),
        *(ROOT / "training" / f"{name}.py" for name in modules),
    ]
    files = [*FOLDER.glob("*.jsonl.gz"), *(ROOT / "training" / "data").rglob("*.jsonl")]
    data = sorted((file.name, file.stat().st_size) for file in files)
    return hashlib.sha256(b"".join(file.read_bytes() for file in code) + repr(data).encode()).hexdigest()


def build_outdated() -> None:
    """Run the steps whose results are missing or outdated."""
    folder()
    stamps: dict[str, str] = json.loads(STAMPS.read_text("utf-8")) if STAMPS.exists() else {}
    for result, build, modules in STEPS:
        stamp = dependency_hash(modules)
        if not result.exists() or stamps.get(result.name) != stamp:
            print(f"making {result.name}", flush=True)
            build()
            stamps[result.name] = stamp
            STAMPS.write_text(json.dumps(stamps, indent=1) + "\n", "utf-8")


def demo_lines() -> Iterator[str]:
    """Yield the results on the packaged demo's flaws and sound cases.

    Raises:
        RuntimeError: a metric failed, which would hide a flaw or a false alarm.
    """
    report = evaluate(load_dataset(DATASET), preset="rag", judge="local")
    if failed := [result.error for _, result in report.flat() if result.error]:
        raise RuntimeError(f"{len(failed)} measurements failed, the first with {failed[0]}")
    outcome = flaw_report(report)
    found_count = sum(flaw.outcome == "found" for flaw in outcome.flaws)
    summary = (
        f"{found_count} of {len(outcome.flaws)} planted flaws found, "
        f"{len(outcome.alarms)} of {outcome.sound} sound cases flagged"
    )
    yield f"demo: {summary}"
    for word in ("undecided", "not found"):
        ids = [str(flaw.case.id) for flaw in outcome.flaws if flaw.outcome == word]
        yield f"  {word}: {', '.join(ids) or 'none'}"
    yield f"  flagged: {', '.join(str(case.id) for case, _ in outcome.alarms) or 'none'}"


TABLES: tuple[Callable[[], Iterator[str]], ...] = (
    everyday.lines,
    judged_test_part.lines,
    demo_lines,
    adversarial.lines,
    bands.lines,
    tasks.chance_lines,
    tasks.similarity_lines,
    languages.lines,
    tasks.summeval_lines,
    preferences.lines,
)
"""All tables. "a -> b" is the judge that used words alone, then the current one."""


def main() -> None:
    """Build missing results and print all tables."""
    parser = argparse.ArgumentParser(description="How far people agree with the embedded judge.")
    parser.parse_args()
    if not FOLDER.is_dir():
        parser.error(f"there is no labelled data at {FOLDER}: set RAGSTONE_LABELLED_DATA to its folder")
    build_outdated()
    for lines in TABLES:
        print(flush=True)
        for line in lines():
            print(line, flush=True)
    for install in ((), ("core",)):
        subprocess.run([sys.executable, "-m", "training.speed", *install], check=True)  # noqa: S603 - our own module


if __name__ == "__main__":
    main()
