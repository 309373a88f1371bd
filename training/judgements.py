"""The judgements written for this project: relevance of answers, usefulness of passages, correctness of answers.

    python -m training.judgements        counts by task, label and kind, overlap, by writer

A file of `training/data/judgements/` holds the work of one writer, one scene a line: a question, the expected output,
answers, passages and answers beside the reference, each with a label and a kind. As with the claims, items
are excluded if a second reader who did not see the labels disagreed.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from training.baseline import overlap
from training.claims import FOLDER
from training.measures import auroc

TASKS = {"answers": "relevance", "passages": "usefulness", "correct": "correctness"}
"""The fields of a scene, and the task that each trains."""

Task = Literal["relevance", "usefulness", "correctness"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One text judged by a question, or by a question and its expected output.

    Attributes:
        id: id of the scene.
        writer: who wrote it.
        domain: what the scene is about.
        language: ISO 639-1 code.
        task: relevance (of an answer's statement), usefulness (of a passage) or correctness.
        question: what a user asked.
        expected: the expected output.
        text: what is judged.
        label: yes or no.
        kind: the phenomenon, such as `"question_back"`.
    """

    id: str
    writer: str
    domain: str
    language: str
    task: str
    question: str
    expected: str
    text: str
    label: Literal["yes", "no"]
    kind: str


def judgements(folder: Path = FOLDER / "judgements") -> Iterator[Judgement]:
    """Yield every judgement, writer by writer.

    Raises:
        ValueError: a line does not have the documented form.
    """
    for path in sorted(folder.glob("*.jsonl")):
        for line_number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                yield from _scene_judgements(json.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path.name}:{line_number}: {error!r}") from error


def _scene_judgements(row: dict[str, str | list[list[str]]]) -> Iterator[Judgement]:
    for field, task in TASKS.items():
        for text, label, kind in row[field]:
            if label not in {"yes", "no"}:
                raise ValueError(f"{label!r} is no label")
            yield Judgement(
                id=str(row["id"]), writer=str(row["author"]), domain=str(row["domain"]),
                language=str(row["lang"]), task=task, question=str(row["question"]),
                expected=str(row["expected"]), text=text, label="yes" if label == "yes" else "no", kind=kind,
            )  # fmt: skip


def overlap_auroc(rows: Iterable[Judgement]) -> float:
    """Return the AUROC of word overlap: the share of the question's (or expected output's) words in the text."""
    all_rows = list(rows)
    shares = [
        overlap(row.expected if row.task == "correctness" else row.question, row.text) for row in all_rows
    ]
    return auroc(np.array([int(row.label == "yes") for row in all_rows]), np.array(shares))


def main() -> None:
    """Print the counts."""
    all_rows = list(judgements())
    print(f"{len(all_rows):,} judgements, {len({row.id for row in all_rows}):,} scenes")
    for task in TASKS.values():
        rows = [row for row in all_rows if row.task == task]
        labels = Counter(row.label for row in rows)
        print(f"{task:12} {len(rows):6,}  {dict(labels)}  AUROC of overlap {overlap_auroc(rows):.3f}")
        kinds = Counter(row.kind for row in rows).most_common(12)
        print(f"  kinds: {', '.join(f'{kind} {count}' for kind, count in kinds)}")
    print(f"languages: {dict(Counter(row.language for row in all_rows))}")


if __name__ == "__main__":
    main()
