"""ragstone: the six metrics of the preset `rag`, or the given ones, through the public API."""

from benchmarks.client import Rows, Scores, Told, measured
from ragstone import evaluate


def work(rows: Rows, told: Told, *, combine: bool = False) -> Scores:
    preset = None if told.metrics else "rag"
    report = evaluate(
        list(rows),
        told.metrics,
        preset=preset,
        judge="openai",
        concurrency=told.in_flight,
        timeout=300,
        combine=combine,
    )
    lost = report.rejected + [result.error for row in report.results for result in row if result.error]
    if lost:
        raise RuntimeError(f"{len(lost)} rows or results are lost: {lost[0]}")
    return [[result.score for result in row] for row in report.results]


if __name__ == "__main__":
    measured(work)
