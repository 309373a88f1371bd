"""Tables of results: Ragas' `result.to_pandas()`, or any other table with a column for each field and each metric.

A column is a metric by its name: one of Ragas, DeepEval or ragstone, one that says `score` or `metric`, or one under
`feedback.` or `eval.`. Other columns, such as people's labels and settings, stay in the metadata, even if they hold
numbers. NaN, which Ragas writes for a failed metric, is no value, not 0. A row that repeats the means is left out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.datasets.json import WRAPPERS
from ragstone.datasets.results.rows import (
    ImportedRow,
    ImportedRun,
    ImportedScore,
    as_list,
    as_number,
    as_object,
)
from ragstone.datasets.rows.field_names import KNOWN, count_known_columns, normalize_name
from ragstone.datasets.rows.shapes import columns
from ragstone.metrics.base.catalog import BUILT_IN

# fmt: off
_OF_RAGAS = frozenset(
    {
        "agent_goal_accuracy", "answer_accuracy", "answer_correctness", "answer_relevance", "answer_relevancy",
        "answer_similarity", "aspect_critic", "bleu_score", "chrf_score", "coherence", "conciseness",
        "context_entities_recall", "context_entity_recall", "context_precision", "context_recall",
        "context_relevance", "context_relevancy", "context_utilization", "correctness", "datacompy_score",
        "domain_specific_rubrics", "factual_correctness", "faithfulness", "faithfulness_with_hhem", "harmfulness",
        "id_based_context_precision", "id_based_context_recall", "instance_rubrics",
        "llm_context_precision_with_reference", "llm_context_precision_without_reference", "llm_context_recall",
        "llm_sql_equivalence", "maliciousness", "multi_modal_faithfulness", "multi_modal_relevance",
        "noise_sensitivity", "noise_sensitivity_irrelevant", "noise_sensitivity_relevant",
        "non_llm_context_precision_with_reference", "non_llm_context_recall", "non_llm_string_similarity",
        "nv_accuracy", "nv_context_relevance", "nv_response_groundedness", "query_equivalence", "ragas_score",
        "response_groundedness", "response_relevancy", "rouge_score", "rubrics_score", "semantic_similarity",
        "simple_criteria", "string_presence", "string_present", "summarization_score", "summary_score",
        "tool_call_accuracy", "tool_call_f1", "topic_adherence",
    }
)
# fmt: on
"""Names of Ragas' metrics, in its versions from 0.0 to 0.4."""

_OTHERS = frozenset(
    {"accuracy", "f1", "f1_score", "completeness", "hallucination", "relevance", "relevancy", "rouge_l"}
)
_METRIC_WORDS = re.compile(
    r"(?:^|[_.\s(\[/])(?:scores?|metrics?|g_?eval|feedback|evals?)(?:$|[_.\s)\]/])", re.IGNORECASE
)
_LABEL_WORDS = re.compile(
    r"(?:^|_|\.)(?:humans?|people|persons?|labels?|labell?ed|gold|truth|annot\w*|raters?|rating|experts?|users?|"
    r"reviewers?|manual|thresholds?|reasons?|explanations?|counts?|tokens?|costs?|latency|time|seconds|ms|ranks?)(?:$|_|\.)"
)
_MISSING = frozenset({"", "nan", "none", "null", "n/a", "na", "-"})
_MEANS = re.compile(
    r"\W*(?:mean|average|avg|overall|total|moyenne|mittel|durchschnitt|gesamt|media|promedio)", re.IGNORECASE
)
_ROUNDING = 0.006
"""Difference of a mean that is written with two digits."""


def fits(found: Any) -> bool:  # noqa: ANN401  (what a file holds)
    """Return whether these are rows with a field of a test case and a metric."""
    rows = _rows(found)
    names = list(rows[0]) if rows else []
    return bool(names) and count_known_columns(names) > 0 and bool(_metrics(rows))


def read(found: Any) -> ImportedRun:  # noqa: ANN401
    """Return the run."""
    rows = _rows(found)
    named = _metrics(rows)
    metrics = [name for name in named if all(0 <= number <= 1 for number in _numbers(rows, name))]
    kept = _numbers_kept(rows, named)
    means = [row for row in rows if _repeats_the_means(row, rows, metrics)]
    notes = [
        f"{name} is left out: some of its values are neither from 0 to 1 nor on a known scale."
        for name in named
        if name not in metrics
    ]
    notes += [f"{', '.join(kept)}: numbers, but no metric by name; kept in the metadata."] if kept else []
    notes += ["A row with the means of the others is left out."] if means else []
    of_ragas = any(_bare(name) in _OF_RAGAS for name in metrics)
    return ImportedRun(
        tool="ragas" if of_ragas else "a table",
        version="",
        judge="",
        rows=[_row(row, metrics) for row in rows if not any(row is mean for mean in means)],
        notes=tuple(notes),
    )


def _rows(found: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return the rows of a list, of a table written column by column, or under a name such as `results`."""
    document = as_object(found)
    if document:
        names, data = as_list(document.get("columns")), as_list(document.get("data"))
        if names and all(isinstance(row, list) for row in data):  # pandas, orient="split"
            return [dict(zip(map(str, names), as_list(row), strict=False)) for row in data]
        wrapped = next((document[name] for name in WRAPPERS if isinstance(document.get(name), list)), None)
        found = list(columns(document) or ()) if wrapped is None else wrapped
    rows = [as_object(row) for row in as_list(found)]
    return [{str(name): value for name, value in row.items()} for row in rows if row]


def _metrics(rows: list[dict[str, Any]]) -> list[str]:
    """Return the columns whose name is a metric's, and of whose values at least half are numbers.

    A column without any value is one of them: the metric failed in every row.
    """
    named = filter(_is_metric, _names(rows))
    return [name for name in named if 2 * len(_numbers(rows, name)) >= len(_values(rows, name))]


def _values(rows: list[dict[str, Any]], name: str) -> list[Any]:
    return [row[name] for row in rows if not _missing(row.get(name))]


def _numbers(rows: list[dict[str, Any]], name: str) -> list[float]:
    return [number for value in _values(rows, name) if (number := as_number(value)) is not None]


def _names(rows: list[dict[str, Any]]) -> Iterator[str]:
    return iter(dict.fromkeys(name for row in rows for name in row if normalize_name(name) not in KNOWN))


def _is_metric(name: str) -> bool:
    normalized, known = normalize_name(name), _OF_RAGAS | _OTHERS | BUILT_IN.keys()
    named = _bare(name) in known or _METRIC_WORDS.search(normalized) is not None
    return named and not _LABEL_WORDS.search(normalized)


def _bare(name: str) -> str:
    """Return a name without options, such as those of `factual_correctness(mode=f1)` and `ndcg@10`."""
    return re.split(r"[(@\[]", normalize_name(name))[0].strip("_ ")


def _numbers_kept(rows: list[dict[str, Any]], metrics: list[str]) -> list[str]:
    """Return the columns of fractions that are not metrics by name: perhaps they should be."""
    return [
        name
        for name in _names(rows)
        if name not in metrics
        and not _LABEL_WORDS.search(normalize_name(name))
        and any(number % 1 for number in _numbers(rows, name))
        and len(_numbers(rows, name)) == len(_values(rows, name))
    ]


def _missing(value: Any) -> bool:  # noqa: ANN401
    return value is None or value != value or (isinstance(value, str) and value.strip().lower() in _MISSING)  # noqa: PLR0124  (NaN)


def _repeats_the_means(row: dict[str, Any], rows: list[dict[str, Any]], metrics: list[str]) -> bool:
    """Return whether a row is named as a mean and holds the mean of the others in every metric."""
    name = next((value for value in row.values() if isinstance(value, str) and value.strip()), "")
    if not _MEANS.match(name) or len(rows) == 1:
        return False
    for metric in metrics:
        numbers = [as_number(other.get(metric)) for other in rows if other is not row]
        others = [number for number in numbers if number is not None]
        mine = as_number(row.get(metric))
        if others and (mine is None or abs(mine - sum(others) / len(others)) > _ROUNDING):
            return False
    return True


def _row(row: Mapping[str, Any], metrics: list[str]) -> ImportedRow:
    values = {
        name: value
        for name, value in row.items()  # a text such as `none` or `NA` may be an answer
        if name not in metrics and not (_missing(value) and not (isinstance(value, str) and value.strip()))
    }
    return ImportedRow(values, [_score(name, row.get(name)) for name in metrics])


def _score(name: str, value: Any) -> ImportedScore:  # noqa: ANN401
    number = None if _missing(value) else as_number(value)
    error = "no number was written" if _missing(value) else f"{str(value)[:100]!r} is no number"
    return ImportedScore(name, number, error=error if number is None else None)
