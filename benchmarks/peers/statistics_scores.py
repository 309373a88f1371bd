"""Figures of evalstats, MLflow, scipy's BCa bootstrap and the t interval on the datasets of `statistics.py`.

It runs in the peers' environment, without ragstone: python -P benchmarks/peers/statistics_scores.py data.npz [package]
"""
# ruff: noqa: ANN001, ANN201, ANN202
# It runs without ragstone and its type checker.

import sys
import warnings

import numpy as np
from evalstats import mean_ci, pairwise_differences
from mlflow.genai.evaluation.comparison.paired_comparison import _compare_paired_values
from scipy import stats

KINDS = ("pass or fail, 0.9", "k of 2 to 6 claims", "k of n, most at 1")
SIZES = (12, 60, 200)
RESAMPLES = 999
LEVEL = 0.95


def evalstats_mean(scores):
    found = mean_ci(scores, n_bootstrap=RESAMPLES, rng=0)
    return found.ci_low, found.ci_high


def evalstats_difference(before, after, method="auto"):
    found = pairwise_differences(
        np.stack([after, before]),
        0,
        1,
        method=method,
        n_bootstrap=RESAMPLES,
        rng=np.random.default_rng(0),
        score_range=(0, 1),
    )
    return found.ci_low, found.ci_high, found.p_value <= 1 - LEVEL


def evalstats_mid_p(before, after):
    return evalstats_difference(before, after, "newcombe")


def mlflow_difference(before, after):
    """Return what `mlflow.genai.compare_evaluations` says of two runs' values, without their tables."""
    found = _compare_paired_values("score", before, after, value_type="numeric")
    return found.ci_low, found.ci_high, found.p_value <= 1 - LEVEL


def bca_mean(scores):
    if scores.min() == scores.max():
        return scores[0], scores[0]
    found = stats.bootstrap(
        (scores,), np.mean, n_resamples=RESAMPLES, method="BCa", rng=0
    ).confidence_interval
    return found.low, found.high


def t_mean(scores):
    half = stats.t.ppf((1 + LEVEL) / 2, scores.size - 1) * scores.std(ddof=1) / scores.size**0.5
    return scores.mean() - half, scores.mean() + half


def claimed_by(mean):
    def difference(before, after):
        low, high = mean(after - before)
        return low, high, not low <= 0.0 <= high

    return difference


PACKAGES = {
    "evalstats, auto": (evalstats_mean, evalstats_difference),
    "evalstats, newcombe": (evalstats_mean, evalstats_mid_p),
    "MLflow": (None, mlflow_difference),
    "BCa bootstrap": (bca_mean, claimed_by(bca_mean)),
    "Student t": (t_mean, claimed_by(t_mean)),
}


def main(path, only=""):
    """Print a row for each kind, number of cases and package; of one package, if it is named."""
    warnings.simplefilter("ignore")
    data = np.load(path)
    for kind in KINDS:
        truth = float(data[f"{kind}|truth"][0])
        for n in SIZES:
            before, again, fell = (data[f"{kind}|{n}|{run}"] for run in ("before", "again", "fallen"))
            for name, (mean, difference) in PACKAGES.items():
                if only not in ("", name) or (name.endswith("newcombe") and not kind.startswith("pass")):
                    continue  # newcombe takes pass or fail alone
                means = [mean(scores) for scores in before] if mean else []
                same = [difference(*pair) for pair in zip(before, again, strict=True)]
                worse = [difference(*pair) for pair in zip(before, fell, strict=True)]
                shares = (
                    np.mean([low <= truth <= high for low, high in means]) if means else np.nan,
                    np.mean([low <= 0.0 <= high for low, high, _ in same]),
                    np.mean([claim for *_, claim in same]),
                    np.mean([claim and high < 0.01 for _, high, claim in worse]),
                )
                print(
                    f"| {kind} | {n} | {name} | {' | '.join(f'{100 * each:.1f}' for each in shares)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main(*sys.argv[1:])
