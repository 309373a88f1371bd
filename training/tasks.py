"""Agreement of the embedded judge with people on correctness, similarity and consistency."""

from collections.abc import Iterator

import numpy as np

from ragstone.judges.local.similarity import similarity
from ragstone.judges.local.support import support
from training.chances import SCORERS, cross_fitted_chances, fitting_sets, report_line
from training.labelled_data import read
from training.measures import rank_correlation


def chance_lines() -> Iterator[str]:
    """Yield the figures of relevance, usefulness and correctness, cross-fitted on halves of the scenes."""
    for name in SCORERS:
        sets = fitting_sets(name)
        for label, rows in sets.items():
            yield report_line(label, rows, cross_fitted_chances(rows, [*sets.values()]))
    yield "published, open questions: accuracy of BEM .806, GPT-4 .848, human .869"


def similarity_lines() -> Iterator[str]:
    """Yield the rank correlation with graded similarity, year by year, test parts pooled."""
    rows = [row for row in read("sts") if row["split"] == "test"]
    years: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        year = row["subset"].split("/")[0]
        years.setdefault(year, []).append((float(row["label"]), similarity(row["text"], row["reference"])))
    correlations = {
        year: rank_correlation(*zip(*pairs, strict=True)) for year, pairs in sorted(years.items())
    }
    by_year = ", ".join(f"{year} {value:.3f}" for year, value in correlations.items())
    yield (
        f"STS, Spearman: mean {np.mean(list(correlations.values())):.3f} "
        f"({by_year}; published: all-MiniLM-L6 .72 to .83)"
    )


def summeval_lines() -> Iterator[str]:
    """Yield the rank correlation with experts' ratings of consistency."""
    rows = list(read("summeval"))
    scores = [support([row["text"]], [row["context"]])[0].probability for row in rows]
    rho = rank_correlation([row["label"] for row in rows], scores)
    yield f"SummEval consistency, Spearman: {rho:.3f} (published: G-Eval-4 .507)"
