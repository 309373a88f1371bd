"""GPT-4 and GPT-3.5 as judges of summaries (SummEval), and the effect of averaging several answers.

The recorded answers are those of Shen et al. 2023 (github.com/DAMO-NLP-SG/LLM_summeval). G-Eval
(arXiv:2303.16634) takes the expectation over several answers to one question instead of one answer. The
recording holds five answers of GPT-3.5 for each summary and aspect, each to another wording of the question:
their mean is compared with single answers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.replays.ratings import read_rating
from ragstone.stats.agreement import GradeAgreement, agree_on_grades
from ragstone.stats.correlation import spearman
from ragstone.stats.estimate import Estimate, estimates

ASPECTS = ("coherence", "consistency", "fluency", "relevance")
GPT_4, GPT_35 = "gpt-4-0314", "gpt-3.5-turbo-0301"
RESAMPLES = 300
"""Bootstrap samples behind an interval: its ends move by a few thousandths from one seed to another."""
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Averaging:
    """Spearman's rho with people of single answers and of their mean over `answers` of them.

    `single` is the mean over the wordings; `gain` is averaged minus single, `gain_over_best` averaged minus
    the best wording, which is not known beforehand.
    """

    answers: int
    n: int
    single: Estimate
    best: Estimate
    averaged: Estimate
    gain: Estimate
    gain_over_best: Estimate


def judge_against_experts(
    recorded: Rows,
    labelled: Rows,
    judge: str,
    aspect: str,
    mode: str = "rts",
    *,
    resamples: int = RESAMPLES,
) -> tuple[GradeAgreement, int]:
    """Return the agreement of one judge with the experts' mean on one aspect, and the number of unreadable answers."""
    rows = [row for row in recorded if (row["judge"], row["mode"], row["aspect"]) == (judge, mode, aspect)]
    ratings = [read_rating(row["response"]) for row in rows]
    experts = {row["id"]: row["annotators"][aspect] for row in labelled if row.get("annotators")}
    read = [(row, rating) for row, rating in zip(rows, ratings, strict=True) if rating is not None]
    found = agree_on_grades(
        [row["label"] for row, _ in read],
        [rating for _, rating in read],
        annotators=[experts[row["item"]] for row, _ in read],
        clusters=[_document(row) for row, _ in read],
        resamples=resamples,
    )
    return found, len(rows) - len(read)


def averaging(recorded: Rows, aspect: str, judge: str = GPT_35, *, resamples: int = RESAMPLES) -> Averaging:
    """Compare the mean of a judge's answers to several wordings with its single answers."""
    modes = sorted({row["mode"] for row in recorded if row["judge"] == judge})
    table: dict[str, dict[str, float | None]] = {}
    label: dict[str, tuple[float, str]] = {}
    for row in recorded:
        if row["judge"] == judge and row["aspect"] == aspect:
            table.setdefault(row["item"], {})[row["mode"]] = read_rating(row["response"])
            label[row["item"]] = (row["label"], _document(row))
    complete = [item for item, given in table.items() if all(given.get(mode) is not None for mode in modes)]
    answers = np.array([[table[item][mode] for mode in modes] for item in complete], dtype=np.float64)

    def measure(people: np.ndarray, answers: np.ndarray) -> list[float]:
        singles = [spearman(people, answers[:, place]) for place in range(answers.shape[1])]
        single, best, averaged = float(np.mean(singles)), max(singles), spearman(people, answers.mean(axis=1))
        return [single, best, averaged, averaged - single, averaged - best]

    people, clusters = [label[item][0] for item in complete], [label[item][1] for item in complete]
    return Averaging(
        len(modes),
        len(complete),
        *estimates(measure, people, answers, clusters=clusters, resamples=resamples),
    )


def _document(row: dict[str, Any]) -> str:
    """Summaries of one article are judged by the same readers of the same text."""
    return str(row["item"]).rpartition("-")[0]
