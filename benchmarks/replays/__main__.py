"""Print one table of all replays: `python -m benchmarks.replays [DIRECTORY]`."""

import sys
from pathlib import Path

from benchmarks.replays import openqa, ragchecker, summeval
from benchmarks.replays.recorded import DATA, read
from ragstone.stats.estimate import Estimate


def main(folder: Path = DATA, resamples: int = summeval.RESAMPLES) -> None:
    """Read the recordings in `folder` and print the figures, each with its 95 % interval.

    Args:
        folder: the labelled data.
        resamples: number of bootstrap samples for the intervals of SummEval, which has the most rows.
    """
    print("| data | judge | measure | n | judge with people | one person with the others | published |")
    print("|---|---|---|---|---|---|---|")
    _ragchecker(folder)
    _openqa(folder)
    _summeval(folder, resamples)


def _ragchecker(folder: Path) -> None:
    rows = read("ragchecker_meta_dev", folder)
    for aspect in ragchecker.ASPECTS:
        found = ragchecker.judge_against_people(rows, aspect)
        published = ragchecker.PUBLISHED if aspect == "overall" else {}
        ceiling = found.ceiling.human if found.ceiling else None
        for name, value, human in (("pearson", found.pearson, ceiling), ("spearman", found.spearman, None)):
            _row(
                (f"RAGChecker meta, {aspect}", "RAGChecker", name), found.n, value, human, published.get(name)
            )


def _openqa(folder: Path) -> None:
    rows = read("openqa_nq301", folder)
    found, unread = openqa.judge_against_people(rows)
    ceiling = found.ceiling.human if found.ceiling else None
    data = f"OpenQA NQ-301 ({unread} unread)"
    _row((data, "GPT-4", "accuracy"), found.n, found.accuracy, None, 0.848)
    _row((data, "GPT-4", "kappa"), found.n, found.kappa, ceiling, 0.696)


_SUMMEVAL = {
    summeval.GPT_4: (0.445, 0.555, 0.495, 0.427),
    summeval.GPT_35: (0.444, 0.423, 0.285, 0.448),
}


def _summeval(folder: Path, resamples: int) -> None:
    recorded, labelled = read("judge_summeval_gpt", folder), read("summeval", folder)
    for judge, published in _SUMMEVAL.items():
        for aspect, figure in zip(summeval.ASPECTS, published, strict=True):
            found, unread = summeval.judge_against_experts(
                recorded, labelled, judge, aspect, resamples=resamples
            )
            ceiling = found.ceiling.human if found.ceiling else None
            data = f"SummEval {aspect} ({unread} unread)"
            _row((data, judge, "spearman"), found.n, found.spearman, ceiling, figure)
    for aspect in summeval.ASPECTS:
        mean = summeval.averaging(recorded, aspect, resamples=resamples)
        data, judge = f"SummEval {aspect}", f"{summeval.GPT_35}, {mean.answers} wordings"
        _row((data, judge, "spearman, single answer"), mean.n, mean.single)
        _row((data, judge, "spearman, best single wording"), mean.n, mean.best)
        _row((data, judge, "spearman, mean of answers"), mean.n, mean.averaged)
        _row((data, judge, "gain of the mean"), mean.n, mean.gain)


def _row(
    named: tuple[str, str, str],
    n: int,
    value: Estimate,
    human: Estimate | None = None,
    published: float | None = None,
) -> None:
    told = "" if published is None else f"{published:.3f}"
    print(f"| {' | '.join(named)} | {n} | {_told(value)} | {_told(human)} | {told} |")


def _told(found: Estimate | None) -> str:
    if found is None or found.value is None:
        return ""
    span = found.interval
    return f"{found.value:.3f}" + (f" ({span.low:.3f} to {span.high:.3f})" if span else "")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
