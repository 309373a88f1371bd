"""Agreement of the embedded judge's other verdicts with people's: correctness, similarity, consistency."""

from collections.abc import Iterator

import numpy as np

from ragstone.judges.local.similarity import similarity
from ragstone.judges.local.support import support
from training.chances import VALUES, halves, line_of, parts
from training.labelled_data import read
from training.measures import rank_correlation


def chance_lines() -> Iterator[str]:
    """Yield the figures of relevance, usefulness and correctness: each half of the scenes by the lines of the other."""
    for name in VALUES:
        found = parts(name)
        for kind, part in found.items():
            yield line_of(kind, part, halves(part, [*found.values()]))
    yield "published, open questions: accuracy of BEM .806, GPT-4 .848, human .869"


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
