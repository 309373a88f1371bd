"""promptfoo: `promptfoo eval --output results.json` (results of version 2 and 3).

An assertion is a metric, named by its `metric` if it has one, otherwise by its type; assertions with the same name are
one metric with their mean. `score` is the score of the whole test. The question is the variable with a name such as
`question`, else the only text variable, else the prompt as sent. With several prompts or providers, each test has one
row for each.
"""

from collections import defaultdict
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
from ragstone.datasets.rows.field_names import ALIASES, KNOWN, normalize_name

_TOTAL = "score"
_ERROR_REASON = 2
"""`failureReason` of a test that could not be judged."""


def fits(found: Any) -> bool:  # noqa: ANN401  (what JSON holds)
    """Return whether this is an output of promptfoo."""
    results = as_object(as_object(found).get("results"))
    return isinstance(results.get("results"), list) and "stats" in results


def read(found: Any) -> ImportedRun:  # noqa: ANN401
    """Return the run."""
    document = as_object(found)
    rows = [as_object(row) for row in as_list(as_object(document["results"])["results"])]
    variants = dict.fromkeys((_provider(row), _prompt(row)) for row in rows)
    graders = dict.fromkeys(grader for row in rows if (grader := _grader(row)))
    return ImportedRun(
        tool="promptfoo",
        version=str(as_object(document.get("metadata")).get("promptfooVersion") or ""),
        judge=" and ".join(graders),
        rows=[_row(row, several=len(variants) > 1) for row in rows],
        notes=("Each test has a row for each prompt and provider.",) if len(variants) > 1 else (),
    )


def _provider(row: dict[str, Any]) -> str:
    provider = row.get("provider")
    return provider if isinstance(provider, str) else str(as_object(provider).get("id") or "")


def _prompt(row: dict[str, Any]) -> str:
    prompt = as_object(row.get("prompt"))
    return str(prompt.get("label") or prompt.get("raw") or "")


def _grader(row: dict[str, Any]) -> str:
    """Return the provider that graded with a model, where a test names one."""
    return _provider(as_object(as_object(row.get("testCase")).get("options")))


def _row(row: dict[str, Any], *, several: bool) -> ImportedRow:
    case = as_object(row.get("testCase"))
    variables = as_object(row.get("vars")) or as_object(case.get("vars"))
    known = {name: value for name, value in variables.items() if normalize_name(name) in KNOWN}
    others = {name: value for name, value in variables.items() if name not in known}
    values: dict[str, Any] = {**known, "metadata": {**as_object(case.get("metadata")), **others}}
    if not any(normalize_name(name) in ALIASES["input"] for name in known):
        texts = [value for value in variables.values() if isinstance(value, str)]
        values["input"] = texts[0] if len(texts) == 1 else as_text(as_object(row.get("prompt")).get("raw"))
    output = as_object(row.get("response")).get("output")
    values["actual_output"] = output if isinstance(output, str) or output is None else str(output)
    values["name"] = as_text(case.get("description")) or as_text(row.get("description"))
    if several:
        values["metadata"] |= {"provider": _provider(row), "prompt": _prompt(row)}
        values["id"] = f"{row.get('testIdx', '')}/{values.get('input', '')}/{_provider(row)}/{_prompt(row)}"
    return ImportedRow(only(values), _scores(row))


def _scores(row: dict[str, Any]) -> list[ImportedScore]:
    graded = as_object(row.get("gradingResult"))
    reason, error = as_text(graded.get("reason")), as_text(row.get("error"))
    failed = row.get("failureReason") == _ERROR_REASON or (error is not None and not graded)
    success = row.get("success")
    total = ImportedScore(
        _TOTAL,
        None if failed else as_number(row.get("score")),
        success if isinstance(success, bool) and not failed else None,
        reason=reason,
        error=(error or "promptfoo could not judge it") if failed else None,
    )
    grouped: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for component in map(as_object, as_list(graded.get("componentResults"))):
        assertion = as_object(component.get("assertion"))
        grouped[str(assertion.get("metric") or assertion.get("type") or "assertion")].append(component)
    return [total, *(_assertion(name, parts) for name, parts in grouped.items() if name != _TOTAL)]


def _assertion(name: str, parts: list[dict[str, Any]]) -> ImportedScore:
    numbers = [number for part in parts if (number := as_number(part.get("score"))) is not None]
    reasons = [reason for part in parts if (reason := as_text(part.get("reason")))]
    return ImportedScore(
        name,
        sum(numbers) / len(numbers) if numbers else None,
        all(part.get("pass") is True for part in parts),
        reason=" ".join(reasons) or None,
        error=None if numbers else "promptfoo wrote no score",
    )
