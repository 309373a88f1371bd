"""Results of other tools as reports: a file is recognised by its content, and its rows become test cases and results.

Grades such as C or 5 of 5 become scores from 0 to 1; what has no known scale is left out with a note.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from ragstone.case import TestCase
from ragstone.datasets.results.content import FileContent, find_run
from ragstone.datasets.results.rows import ImportedRow, ImportedRun, ImportedScore
from ragstone.datasets.rows.cases import cases
from ragstone.datasets.rows.field_names import normalize_name
from ragstone.datasets.rows.row import RawRow
from ragstone.errors import BadDataset
from ragstone.findings.imported import tables
from ragstone.findings.report import Report
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.result import Result, passes
from ragstone.run import Plan, Run

_DEFAULT_THRESHOLD = 0.5


def assemble(found: ImportedRun, path: Path, problems: Sequence[str] = ()) -> Report:
    """Return the report on another tool's run.

    Each row is a test case; repetitions of one, such as the epochs of a sample, are one with the mean of their scores.
    A row without a question, or a metric whose values lie outside its scale, is left out with a note. `problems` are
    messages on rows that could not be read.
    """
    rejected = list(problems)
    rows: dict[str, list[ImportedRow]] = {}
    cases_by_id: dict[str, TestCase] = {}
    for place, row in enumerate(found.rows, 1):
        case = next(cases([RawRow(f"row {place}", row.values)], path.name), None)
        if not isinstance(case, TestCase):
            rejected.append(str(case or f"{path.name}, row {place}: it is empty"))
            continue
        case = case if found.repeated else _with_unique_id(case, cases_by_id)
        cases_by_id.setdefault(case.id, case)
        rows.setdefault(case.id, []).append(row)
    names = list(dict.fromkeys(score.metric for row in found.rows for score in row.scores))
    out_of_scale = set(_out_of_scale(found.rows))
    names = [name for name in names if name not in out_of_scale]
    lower = set(_lower_is_better(found.rows))
    judge = f"{found.tool}:{found.judge}" if found.judge else found.tool
    results = [
        [_result(name, held, case_id, judge, lower=name in lower) for name in names]
        for case_id, held in rows.items()
    ]
    repeats = max(map(len, rows.values()), default=1)
    plan = Plan(metrics=tuple(names), judge=judge, name=path.name, dataset=path.name, repeats=repeats)
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    run = Run(id=path.name, plan=plan, started=modified, notes=tuple(_notes(found, out_of_scale)))
    return Report(
        run=run, cases=list(cases_by_id.values()), results=results, rejected=rejected, complete=found.complete
    )


_ANSWER_FIELDS = ("actual_output", "retrieval_context", "retrieved_ids", "tools_called", "id")


def _with_unique_id(case: TestCase, taken: Container[str]) -> TestCase:
    """Return the case with an id that no other case has.

    Without an id of the tool's, it is made from everything but the answer: question, reference and settings, so that it
    is the same in another run of the application.
    """
    identifier = case.id
    if "id" not in case.model_fields_set:
        identifier = TestCase.model_validate(
            case.model_dump(exclude={*_ANSWER_FIELDS}, exclude_unset=True)
        ).id
    number = next(n for n in count(1) if (identifier if n == 1 else f"{identifier} ({n})") not in taken)
    return case.model_copy(update={"id": identifier if number == 1 else f"{identifier} ({number})"})


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
    """Yield the metrics that pass at or below the threshold, according to the tool's own decisions.

    A metric that is known to be better the higher keeps its direction, whatever a file says.
    """
    decisions_by_metric: dict[str, list[tuple[float, float, bool]]] = defaultdict(list)
    for row in rows:
        for score in row.scores:
            if score.value is not None and score.success is not None and score.threshold is not None:
                decisions_by_metric[score.metric].append((score.value, score.threshold, score.success))
    for metric, decided in decisions_by_metric.items():
        as_higher = all(passes(value, limit, higher_is_better=True) == ok for value, limit, ok in decided)
        as_lower = all(passes(value, limit, higher_is_better=False) == ok for value, limit, ok in decided)
        if as_lower and not as_higher and normalize_name(metric) not in _HIGHER_IS_BETTER:
            yield metric


_LOWER_IS_BETTER = ("bias", "hallucination", "noise_sensitivity", "redundant_calls", "toxicity")
_HIGHER_IS_BETTER = frozenset(BUILT_IN).difference(_LOWER_IS_BETTER)


def _result(metric: str, rows: Sequence[ImportedRow], case_id: str, judge: str, *, lower: bool) -> Result:
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
    if not scores:
        return Result(**common, skipped=True, reason="The tool gave no such score here.")  # pyright: ignore[reportArgumentType]
    if not values:
        error = next((score.error for score in scores if score.error), "the tool wrote no score")
        return Result(**common, error=f"NotMeasured: {error}", error_type="NotMeasured")  # pyright: ignore[reportArgumentType]
    mean = sum(values) / len(values)
    success = first.success if len(scores) == 1 else None
    if success is None:
        success = passes(mean, threshold, higher_is_better=not lower)
    repeats = [_repeat(score, threshold, lower=lower) for score in scores] if len(rows) > 1 else []
    metadata = {"repeats": repeats} if repeats else {}
    return Result(**common, score=mean, success=success, reason=first.reason, metadata=metadata)  # pyright: ignore[reportArgumentType]  (of many types)


def _repeat(score: ImportedScore, threshold: float, *, lower: bool) -> dict[str, Any]:
    """Return one repetition, as `ragstone.runner.repeats` writes it."""
    value, success = None if score.value is None else _to_unit_scale(score), score.success
    if success is None:
        success = value is not None and passes(value, threshold, higher_is_better=not lower)
    status = "not_measured" if value is None else "passed" if success else "missed"
    told = {"reason": score.reason, "error": score.error}
    return {"score": value, "status": status, "success": success, **told}


def _to_unit_scale(score: ImportedScore) -> float:
    low, high = score.scale
    value = 0.0 if score.value is None else score.value
    return min(1.0, max(0.0, (value - low) / (high - low)))


def read_other_tool(content: FileContent, path: Path) -> Report | None:
    """Return the report on a file that another tool wrote; None where it is no such file.

    Raises:
        BadDataset: the tool is known, but no test case or no score can be read from the file.
    """
    run = find_run(content.value)
    if run is None:
        if not tables.fits(content.value):
            return None
        run = tables.read(content.value)
    report = assemble(run, path, content.problems)
    if not report.cases or not report.run.plan.metrics:
        missing = "test case" if not report.cases else "score"
        why = f". {(*report.rejected, *run.notes)[0]}" if report.rejected or run.notes else ""
        raise BadDataset(f"{path} is a file of {run.tool}, but no {missing} can be read from it{why}")
    return report
