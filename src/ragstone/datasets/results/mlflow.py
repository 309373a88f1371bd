"""MLflow: the table of `mlflow.evaluate` (`eval_results_table.json`), or traces with assessments as JSON records.

A column `NAME/vN/score` of the table is a metric; grades of MLflow's own judges, from 1 to 5, are converted to 0 to 1.
Records are the output of `mlflow.search_traces()` or `result.result_df`, written with `to_json(orient="records")`:
feedback of judges and code becomes a metric, feedback of people `metadata.human.NAME`, an expectation the expected
output.
"""

import json
from collections.abc import Mapping
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
from ragstone.datasets.rows.field_names import ALIASES

_GRADING_JUDGES = frozenset(
    {"answer_similarity", "answer_correctness", "answer_relevance", "relevance", "faithfulness"}
)
"""Judges of `mlflow.evaluate` that grade from 1 to 5."""

_SCORE_SUFFIXES = ("/score", "/value")
_ANSWER_KEYS = ("outputs", "prediction", "predictions", "response")
_EXPECTED_KEYS = ("expected_response", "expected_output", "ground_truth", "expected_answer")


def fits(found: Any) -> bool:  # noqa: ANN401  (what JSON holds)
    """Return whether this is a table or a list of traces of MLflow."""
    document = as_object(found)
    if isinstance(document.get("columns"), list) and isinstance(document.get("data"), list):
        return any(str(name).endswith(_SCORE_SUFFIXES) for name in as_list(document["columns"]))
    rows = as_list(found)
    return bool(rows) and "assessments" in as_object(rows[0])


def read(found: Any) -> ImportedRun:  # noqa: ANN401
    """Return the run."""
    document = as_object(found)
    if document:
        columns = [str(name) for name in as_list(document["columns"])]
        table = [dict(zip(columns, as_list(row), strict=False)) for row in as_list(document["data"])]
        return ImportedRun("mlflow", "", "", [_table_row(row) for row in table])
    records = [as_object(row) for row in as_list(found)]
    judges = dict.fromkeys(
        str(source.get("source_id"))
        for row in records
        for assessment in _assessments(row)
        if (source := as_object(assessment.get("source"))).get("source_type") == "LLM_JUDGE"
    )
    named = [name for name in judges if name not in ("None", "default", "")]
    return ImportedRun("mlflow", "", " and ".join(named), [_trace_row(row) for row in records])


def _table_row(row: Mapping[str, Any]) -> ImportedRow:
    metrics = [name for name in row if name.endswith(_SCORE_SUFFIXES)]
    reasons = {
        f"{name.rpartition('/')[0]}/{what}": name
        for name in metrics
        for what in ("justification", "rationale")
    }
    values = {name: value for name, value in row.items() if name not in metrics and name not in reasons}
    texts = {metric: row[column] for column, metric in reasons.items() if column in row}
    scores = [_table_score(name, row[name], texts.get(name)) for name in metrics]
    return ImportedRow(only(_fields(values, values)), scores)


def _table_score(column: str, value: object, reason: object) -> ImportedScore:
    name = column.rpartition("/")[0]
    graded = name.partition("/")[0] in _GRADING_JUDGES
    number = as_number(value)
    return ImportedScore(
        name,
        number,
        reason=as_text(reason),
        error=None if number is not None else "MLflow wrote no score",
        scale=(1.0, 5.0) if graded else (0.0, 1.0),
    )


def _fields(values: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values under names that a dataset may have: the question is in `inputs`, the answer in `outputs`."""
    fields = dict(values)
    if not any(name in fields for name in ALIASES["input"]):
        fields["input"] = _text_of(request.get("inputs") or request.get("request"), ALIASES["input"])
    answer = next((fields.pop(name) for name in _ANSWER_KEYS if name in fields), None)
    if not any(name in fields for name in ALIASES["actual_output"]):
        fields["actual_output"] = _text_of(answer, ALIASES["actual_output"])
    return fields


def _text_of(value: object, names: tuple[str, ...]) -> str | None:
    """Return the text in a value: itself, the entry of a known name, the last message, or the only text."""
    decoded = _decoded(value)
    if isinstance(decoded, str):
        return decoded
    table = as_object(decoded)
    for name in (*names, "content", "text"):
        if isinstance(table.get(name), str):
            return str(table[name])
    messages = as_list(table.get("messages")) or as_list(decoded)
    if messages:
        return _text_of(messages[-1], names)
    if isinstance(table.get("inputs"), dict):
        return _text_of(table["inputs"], names)
    texts = [text for text in table.values() if isinstance(text, str)]
    return texts[0] if len(texts) == 1 else (json.dumps(decoded, ensure_ascii=False) if decoded else None)


def _decoded(value: object) -> Any:  # noqa: ANN401
    """Return the value of a text that is JSON; any other value unchanged."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _assessments(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [as_object(_decoded(item)) for item in as_list(_decoded(row.get("assessments")))]


def _trace_row(row: Mapping[str, Any]) -> ImportedRow:
    human: dict[str, Any] = {}
    expected: str | None = None
    scores: list[ImportedScore] = []
    for assessment in _assessments(row):
        if assessment.get("valid") is False:  # replaced by a later one
            continue
        name = str(assessment.get("assessment_name") or assessment.get("name") or "feedback")
        if "expectation" in assessment and assessment["expectation"] is not None:
            value = as_object(assessment["expectation"]).get("value")
            expected = _text_of(value, _EXPECTED_KEYS) if name in _EXPECTED_KEYS else expected
        elif as_object(assessment.get("source")).get("source_type") == "HUMAN":
            human[name] = as_object(assessment.get("feedback")).get("value")
        else:
            scores.append(_feedback(name, assessment))
    fields = _fields({"outputs": row.get("response")}, {"inputs": row.get("request")})
    fields |= {"id": row.get("client_request_id"), "expected_output": expected}
    metadata = only({"human": human or None, "trace_id": row.get("trace_id") or row.get("request_id")})
    return ImportedRow(only({**fields, "metadata": metadata}), scores)


def _feedback(name: str, assessment: Mapping[str, Any]) -> ImportedScore:
    feedback = as_object(assessment.get("feedback"))
    error = feedback.get("error")
    number = as_number(feedback.get("value"))
    message = as_text(as_object(error).get("error_message")) or (str(error) if error else None)
    return ImportedScore(
        name,
        None if error else number,
        reason=as_text(assessment.get("rationale")),
        error=message or (None if number is not None else f"MLflow wrote {feedback.get('value')!r}"),
    )
