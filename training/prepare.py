"""Compute the features of every row once and store them.

    python -m training.prepare           writes build/training/features.npz; with names, only these sets anew

Human-labelled sets come from the folder RAGSTONE_LABELLED_DATA (default ../shared/data), synthetic pairs from
the step before, answers beside their expected output from `training/data`.
"""

import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import starmap
from typing import TYPE_CHECKING

import numpy as np

from ragstone.judges.local.correctness import best_features
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.features import measure_statement
from training.baseline import overlap
from training.claims import HELD_OUT
from training.judgements import judgements
from training.labelled_data import MEASURED, TRAINED, group_of, support_rows
from training.labelled_data import read as read_file
from training.paths import FEATURES, SYNTHETIC, folder
from training.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

PROCESSES = 2
OPEN_QUESTIONS, ANSWERS = "openqa_nq301", "answers"
_cached_index = lru_cache(64)(index_evidence)


def measured_table(
    name: str, pairs: Sequence[tuple[str, tuple[str, ...]]], labels: Sequence[tuple[int, int, str, str]]
) -> Table:
    """Return the table of some (claim, passages) with their (label, contradicted, group, kind)."""
    statements = [measure_statement(text, _cached_index(passages)) for text, passages in pairs]
    label, contradicted, group, kind = zip(*labels, strict=True)
    return Table(
        name,
        np.array([statement.values for statement in statements]),
        np.array([statement.gaps for statement in statements], np.float32),
        np.array(label),
        np.array(contradicted),
        np.array([overlap(text, " ".join(passages)) for text, passages in pairs]),
        np.array(group),
        np.array(kind),
    )


def support_table(name: str) -> Table:
    """Return the features and labels of one support set."""
    rows = support_rows(name)
    contradicted = [-1 if row.contradicted is None else int(row.contradicted) for row in rows]
    labels = [
        (row.label, contradiction, row.group, f"{name}.{row.raw.get('subset') or ''}")
        for row, contradiction in zip(rows, contradicted, strict=True)
    ]
    return measured_table(name, [(row.text, row.passages) for row in rows], labels)


def synthetic_table() -> Table:
    """Return the features and labels of the synthetic pairs."""
    rows = [json.loads(line) for line in SYNTHETIC.read_text("utf-8").splitlines()]
    labels = [(r["label"], int(r["contradicted"]), r["group"], f"{r['source']}.{r['edit']}") for r in rows]
    return measured_table("synthetic", [(row["text"], (row["passage"],)) for row in rows], labels)


def open_questions_table() -> Table:
    """Return the features and labels of the open question answering set, grouped by question."""
    rows = [
        (row["question"], row["text"], row["reference"], row["label"], row["question"], "nq301")
        for row in read_file(OPEN_QUESTIONS)
    ]
    return _correctness_table(OPEN_QUESTIONS, rows)


def answers_table() -> Table:
    """Return the same of this project's own judgements, grouped by scene; held-out writers fit no model."""
    rows = [
        (row.question, row.text, [row.expected], int(row.label == "yes"), row.id, f"{row.writer}.{row.kind}")
        for row in judgements()
        if row.task == "correctness" and row.writer not in HELD_OUT
    ]
    return _correctness_table(ANSWERS, rows)


def _correctness_table(name: str, rows: Sequence[tuple[str, str, list[str], int, str, str]]) -> Table:
    questions, texts, references, label, group, kind = zip(*rows, strict=True)
    labels = np.array(label)
    return Table(
        name,
        np.array(list(starmap(best_features, zip(questions, texts, references, strict=True)))),
        np.zeros((len(rows), 0), np.float32),
        labels,
        1 - labels,
        np.array(
            [
                max(overlap(reference, text) for reference in row_references)
                for text, row_references in zip(texts, references, strict=True)
            ]
        ),
        np.array([group_of(key) for key in group]),
        np.array(kind),
    )


def measure(name: str) -> Table:
    """Return the table of one set."""
    builders = {"synthetic": synthetic_table, OPEN_QUESTIONS: open_questions_table, ANSWERS: answers_table}
    return builders[name]() if name in builders else support_table(name)


def main() -> None:
    """Measure every set, or those named."""
    folder()
    names = sys.argv[1:]
    arrays: dict[str, NDArray[np.generic]] = {}
    if names:
        with np.load(FEATURES) as archive:
            arrays = {key: archive[key] for key in archive if key.split("|")[0] not in names}
    with ProcessPoolExecutor(PROCESSES) as pool:
        for table in pool.map(measure, names or ("synthetic", *TRAINED, *MEASURED, OPEN_QUESTIONS, ANSWERS)):
            arrays |= table.arrays()
            print(
                f"{table.name:24} {len(table.labels):6} rows, {table.labels.mean():.2f} positive", flush=True
            )
    np.savez_compressed(FEATURES, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
