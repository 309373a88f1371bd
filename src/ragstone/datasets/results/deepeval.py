"""DeepEval: its test run, `test_run_….json` in DEEPEVAL_RESULTS_FOLDER or `.deepeval/.latest_test_run.json`.

DeepEval's own decision whether a metric passes is kept. If a metric passes at or below its threshold (Hallucination,
Bias, Toxicity), lower is better. Multi-turn test cases are read as conversations.
"""

from typing import Any

from ragstone.datasets.results.rows import (
    ImportedRow,
    ImportedRun,
    ImportedScore,
    as_list,
    as_number,
    as_object,
    as_text,
    only,
)

_CASE_KEYS = ("testCases", "test_cases")
_CONVERSATION_KEYS = ("conversationalTestCases", "conversational_test_cases")


def fits(found: Any) -> bool:  # noqa: ANN401  (what JSON holds)
    """Return whether this is a test run of DeepEval."""
    document = as_object(_document(found))
    return any(isinstance(document.get(name), list) for name in (*_CASE_KEYS, *_CONVERSATION_KEYS))


def read(found: Any) -> ImportedRun:  # noqa: ANN401
    """Return the run."""
    document = as_object(_document(found))
    rows = [as_object(row) for name in _CASE_KEYS for row in as_list(document.get(name))]
    conversations = [as_object(row) for name in _CONVERSATION_KEYS for row in as_list(document.get(name))]
    metrics = [metric for row in (*rows, *conversations) for metric in _metrics(row)]
    judges = dict.fromkeys(filter(None, (as_text(metric.get("evaluationModel")) for metric in metrics)))
    return ImportedRun(
        tool="deepeval",
        version=as_text(document.get("deepevalVersion")) or "",
        judge=" and ".join(judges),
        rows=[_row(row) for row in rows] + [_conversation_row(row) for row in conversations],
    )


def _document(found: Any) -> Any:  # noqa: ANN401
    """Return the test run; `.latest_test_run.json` holds it one level down."""
    inner = as_object(found).get("testRunData")
    return inner if isinstance(inner, dict) else found  # pyright: ignore[reportUnknownVariableType]


def _metrics(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [as_object(metric) for metric in as_list(row.get("metricsData") or row.get("metricsMetadata"))]


def _row(row: dict[str, Any]) -> ImportedRow:
    values = {
        "input": row.get("input"),
        "actual_output": row.get("actualOutput"),
        "expected_output": row.get("expectedOutput"),
        "context": row.get("context"),
        "retrieval_context": row.get("retrievalContext"),
        "name": row.get("name"),
        "tags": row.get("tags"),
        "metadata": as_object(row.get("additionalMetadata")) or as_object(row.get("metadata")),
    }
    return ImportedRow(only(values), [_score(metric) for metric in _metrics(row)])


def _conversation_row(row: dict[str, Any]) -> ImportedRow:
    turns = [
        only({"role": as_object(turn).get("role"), "content": as_object(turn).get("content")})
        for turn in as_list(row.get("turns"))
    ]
    return ImportedRow(
        only({"turns": turns, "name": row.get("name")}), [_score(metric) for metric in _metrics(row)]
    )


def _score(metric: dict[str, Any]) -> ImportedScore:
    success = metric.get("success")
    error = as_text(metric.get("error"))
    return ImportedScore(
        metric=str(metric.get("name") or metric.get("metric") or "score"),
        value=None if error else as_number(metric.get("score")),
        success=success if isinstance(success, bool) else None,
        threshold=as_number(metric.get("threshold")),
        reason=as_text(metric.get("reason")),
        error=error,
    )
