"""Whether RAGChecker's figures, measured by the embedded judge, prefer the answers that people prefer.

RAGChecker's meta-evaluation (arXiv:2408.08067): two people said of each pair of answers how much better the second
is. The metrics are the public ones, run as a user runs them: `evaluate(cases, metrics, judge="local")`.
"""

from collections.abc import Iterator

import numpy as np

from ragstone import TestCase, evaluate
from ragstone.metrics import AnswerCorrectness, Metric, RagChecker
from ragstone.stats.pairwise import PairwiseAgreement, agree_on_pairs
from training.labelled_data import read

MEASURES: tuple[tuple[str, Metric], ...] = (
    ("overall", RagChecker(figure="f1")),
    ("overall", AnswerCorrectness()),
    ("correctness", RagChecker(figure="precision")),
    ("completeness", RagChecker(figure="recall")),
)
"""The aspects that people compared, each with the corresponding metric."""
PUBLISHED = "TF-IDF .51, RAGChecker with a 70 B judge .62, person against person .70"


def preferences() -> Iterator[tuple[str, str, PairwiseAgreement]]:
    """Yield the aspect, the metric and the agreement of its differences with people's mean preference."""
    rows = list(read("ragchecker_meta_dev"))
    scores = {answer: _scores(rows, answer) for answer in ("text", "text2")}
    for i, (aspect, metric) in enumerate(MEASURES):
        preferred = [float(np.mean(row["annotators"][aspect])) for row in rows]
        agreement = agree_on_pairs(
            preferred, scores["text"][i], scores["text2"][i], clusters=[r["question"] for r in rows]
        )
        yield aspect, metric.title, agreement


def _scores(rows: list[dict[str, str]], answer: str) -> list[list[float]]:
    """Return the scores of one answer to each question, by metric; one that is empty or makes no claim scores 0.

    Raises:
        RuntimeError: a metric failed; a figure without it would be about other answers.
    """
    answered = [i for i, row in enumerate(rows) if row[answer].strip()]
    cases = [
        TestCase(input=row["question"], actual_output=row[answer], expected_output=row["reference"])
        for row in (rows[i] for i in answered)
    ]
    report = evaluate(cases, [metric for _, metric in MEASURES], judge="local")
    if failed := [result.error for _, result in report.flat() if result.error]:
        raise RuntimeError(f"{len(failed)} measurements failed, the first with {failed[0]}")
    scores = [[0.0] * len(rows) for _ in MEASURES]
    for i, results in zip(answered, report.results, strict=True):
        for column, result in zip(scores, results, strict=True):
            column[i] = result.score or 0.0
    return scores


def lines() -> Iterator[str]:
    """Yield one line of text per measure."""
    for aspect, title, agreement in preferences():
        published = f" (published: {PUBLISHED})" if aspect == "overall" else ""
        yield (
            f"RAGChecker meta-evaluation, {aspect}, by {title}: "
            f"Pearson {agreement.pearson}, {agreement.n} pairs{published}"
        )
