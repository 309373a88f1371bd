"""Convert another tool's rows to a report: test cases, results on one scale, and notes on what was left out."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from ragstone.case import TestCase
from ragstone.datasets.rows.cases import cases
from ragstone.datasets.rows.row import RawRow
from ragstone.reports.imported.rows import ImportedRow, ImportedRun, ImportedScore
from ragstone.reports.report import Report
from ragstone.result import Result, passes
from ragstone.run import Plan, Run

_DEFAULT_THRESHOLD = 0.5


def assemble(found: ImportedRun, path: Path) -> Report:
    """Return the report on another tool's run.

    Rows with the same id, such as the epochs of a sample, are one test case with the mean of their scores. A row
    without a question, or a metric whose values lie outside its scale, is left out with a note.
    """
    rejected: list[str] = []
    rows_by_id: dict[str, list[ImportedRow]] = {}
    cases_by_id: dict[str, TestCase] = {}
    for place, row in enumerate(found.rows, 1):
        case = next(cases([RawRow(f"row {place}", row.values)], path.name))
        if not isinstance(case, TestCase):
            rejected.append(str(case))
            continue
        cases_by_id.setdefault(case.id, case)
        rows_by_id.setdefault(case.id, []).append(row)
    metrics = list(dict.fromkeys(score.metric for row in found.rows for score in row.scores))
    out_of_scale = set(_out_of_scale(found.rows))
    lower = set(_lower_is_better(found.rows))
    judge = f"{found.tool}:{found.judge}" if found.judge else found.tool
    names = [metric for metric in metrics if metric not in out_of_scale]
    results = [
        [_result(name, rows, case_id, judge, lower=name in lower) for name in names]
        for case_id, rows in rows_by_id.items()
    ]
    repeats = max(map(len, rows_by_id.values()), default=1)
    plan = Plan(metrics=tuple(names), judge=judge, name=path.name, dataset=path.name, repeats=repeats)
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    run = Run(id=path.name, plan=plan, started=modified, notes=tuple(_notes(found, out_of_scale)))
    return Report(
        run=run, cases=list(cases_by_id.values()), results=results, rejected=rejected, complete=found.complete
    )


def _notes(run: ImportedRun, out_of_scale: set[str]) -> Iterator[str]:
    yield f"Results of {run.tool}{f' {run.version}' if run.version else ''}, read from its file."
    yield from run.notes
    for metric in sorted(out_of_scale):
        yield f"{metric} is left out: some of its values are neither from 0 to 1 nor on a known scale."
    if run.rows and all(score.threshold is None for row in run.rows for score in row.scores):
        yield f"{run.tool} writes no thresholds: {_DEFAULT_THRESHOLD} is used."


def _out_of_scale(rows: Sequence[ImportedRow]) -> Iterator[str]:
    for row in rows:
        for score in row.scores:
            low, high = score.scale
            if score.value is not None and not low - 1e-9 <= score.value <= high + 1e-9:
                yield score.metric


def _lower_is_better(rows: Sequence[ImportedRow]) -> Iterator[str]:
    """Yield the metrics that pass at or below the threshold, according to the tool's own decisions."""
    decisions_by_metric: dict[str, list[tuple[float, float, bool]]] = defaultdict(list)
    for row in rows:
        for score in row.scores:
            if score.value is not None and score.success is not None and score.threshold is not None:
                decisions_by_metric[score.metric].append((score.value, score.threshold, score.success))
    for metric, decided in decisions_by_metric.items():
        as_higher = all(passes(value, limit, higher_is_better=True) == ok for value, limit, ok in decided)
        as_lower = all(passes(value, limit, higher_is_better=False) == ok for value, limit, ok in decided)
        if as_lower and not as_higher:
            yield metric


def _result(metric: str, rows: Sequence[ImportedRow], case_id: str, judge: str, *, lower: bool) -> Result:
    """Return the result of a metric on a test case: the mean of its rows."""
    scores = [score for row in rows for score in row.scores if score.metric == metric]
    values = [_to_unit_scale(score) for score in scores if score.value is not None]
    first = scores[0] if scores else ImportedScore(metric, None)
    threshold = _DEFAULT_THRESHOLD if first.threshold is None else first.threshold
    common = {
        "metric": metric,
        "spec": metric,
        "threshold": min(1.0, max(0.0, threshold)),
        "higher_is_better": not lower,
        "case_id": case_id,
        "judge": judge,
    }
    if not values:
        return _unmeasured(common, scores)
    mean = sum(values) / len(values)
    successes = [score.success for score in scores]
    success = successes[0] if len(successes) == 1 and successes[0] is not None else None
    if success is None:
        success = passes(mean, threshold, higher_is_better=not lower)
    metadata = {"repeats": values} if len(values) > 1 else {}
    return Result(**common, score=mean, success=success, reason=first.reason, metadata=metadata)  # pyright: ignore[reportArgumentType]  (of many types)


def _unmeasured(common: Mapping[str, object], scores: Sequence[ImportedScore]) -> Result:
    error = next((score.error for score in scores if score.error), None)
    if not scores:
        return Result(**common, skipped=True, reason="The tool gave no such score here.")  # pyright: ignore[reportArgumentType]
    message = error or "the tool wrote no score"
    return Result(**common, error=f"NotMeasured: {message}", error_type="NotMeasured")  # pyright: ignore[reportArgumentType]


def _to_unit_scale(score: ImportedScore) -> float:
    low, high = score.scale
    value = 0.0 if score.value is None else score.value
    return min(1.0, max(0.0, (value - low) / (high - low)))
