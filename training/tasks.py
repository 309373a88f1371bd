"""What the embedded judge's other verdicts are worth against people's: correctness, similarity, consistency."""

from collections.abc import Iterator

import numpy as np

from ragstone.judges.local.similarity import similarity
from ragstone.judges.local.support import support
from training.labelled_data import read
from training.measures import auroc, interval, rank_correlation
from training.paths import MODELS
from training.tables import load
from training.train import correctness_out_of_fold

FOLDS = (5, 10, 20)
"""Other ways to leave questions out, printed beside: the figure moves by a hundredth with the choice."""


def correctness_lines() -> Iterator[str]:
    """Yield the agreement on open question answering, with answers to unseen questions."""
    table = load()["openqa_nq301"]
    with np.load(MODELS) as models:
        scores = models["held_out.correctness"]
    right = (scores >= 0) == (table.labels == 1)
    low, high = interval(table.groups.tolist(), lambda rows: float(right[rows].mean()))
    yield (
        f"openqa_nq301: accuracy {right.mean():.3f} [{low:.3f}, {high:.3f}], AUROC {auroc(table.labels, scores):.3f} "
        f"(overlap {auroc(table.labels, table.overlap):.3f}; published: BEM .806, GPT-4 .848, human .869)"
    )
    for folds in FOLDS:
        right = (correctness_out_of_fold(table, folds) >= 0) == (table.labels == 1)
        yield f"  with {folds} folds of questions instead of one question at a time: accuracy {right.mean():.3f}"


def similarity_lines() -> Iterator[str]:
    """Yield the rank correlation with graded similarity, year by year, test parts pooled."""
    rows = [row for row in read("sts") if row["split"] == "test"]
    years: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        year = row["subset"].split("/")[0]
        years.setdefault(year, []).append((float(row["label"]), similarity(row["text"], row["reference"])))
    values = {year: rank_correlation(*zip(*pairs, strict=True)) for year, pairs in sorted(years.items())}
    shown = ", ".join(f"{year} {value:.3f}" for year, value in values.items())
    yield f"STS, Spearman: mean {np.mean(list(values.values())):.3f} ({shown}; published: all-MiniLM-L6 .72 to .83)"


def summeval_lines() -> Iterator[str]:
    """Yield the rank correlation with experts' ratings of consistency."""
    rows = list(read("summeval"))
    scores = [support([row["text"]], [row["context"]])[0].probability for row in rows]
    rho = rank_correlation([row["label"] for row in rows], scores)
    yield f"SummEval consistency, Spearman: {rho:.3f} (published: G-Eval-4 .507)"
