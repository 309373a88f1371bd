"""Compute the features of every answer beside its reference once and store them.

    python -m training.prepare           writes build/training/features.npz; with names, only these sets anew

The human-labelled set comes from the folder RAGSTONE_LABELLED_DATA (default ../shared/data), answers beside their
expected output from `training/data`.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import starmap
from typing import TYPE_CHECKING

import numpy as np

from ragstone.judges.local.correctness import best_features
from training.baseline import overlap
from training.claims import HELD_OUT
from training.judgements import judgements
from training.labelled_data import group_of
from training.labelled_data import read as read_file
from training.paths import FEATURES, folder
from training.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

PROCESSES = 2
OPEN_QUESTIONS, ANSWERS = "openqa_nq301", "answers"


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
        labels,
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
    return {OPEN_QUESTIONS: open_questions_table, ANSWERS: answers_table}[name]()


def main() -> None:
    """Measure every set, or those named."""
    folder()
    names = sys.argv[1:]
    arrays: dict[str, NDArray[np.generic]] = {}
    if names:
        with np.load(FEATURES) as archive:
            arrays = {key: archive[key] for key in archive if key.split("|")[0] not in names}
    with ProcessPoolExecutor(PROCESSES) as pool:
        for table in pool.map(measure, names or (OPEN_QUESTIONS, ANSWERS)):
            arrays |= table.arrays()
            print(
                f"{table.name:24} {len(table.labels):6} rows, {table.labels.mean():.2f} positive", flush=True
            )
    np.savez_compressed(FEATURES, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
