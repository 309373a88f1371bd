"""GPT-4 as a judge of free answers to questions with known answers.

Recorded by Kamalloo et al. 2023 (arXiv:2305.06984, github.com/ehsk/OpenQA-eval).
"""

from typing import Any

from benchmarks.replays.ratings import read_yes
from ragstone.stats.agreement import LabelAgreement, agree_on_labels

Rows = list[dict[str, Any]]


def judge_against_people(rows: Rows, judge: str = "gpt4") -> tuple[LabelAgreement, int]:
    """Return the agreement of a judge's recorded answers with people, and the number of unreadable answers."""
    decisions = [read_yes(row["judges"].get(f"{judge}_text", "")) for row in rows]
    read = [(row, float(said)) for row, said in zip(rows, decisions, strict=True) if said is not None]
    found = agree_on_labels(
        [row["label"] for row, _ in read],
        [said for _, said in read],
        annotators=[
            row["annotators"][:2] for row, _ in read
        ],  # a third person was asked only where two differed
        clusters=[row["question"] for row, _ in read],
        resamples=300,
    )
    return found, len(rows) - len(read)
