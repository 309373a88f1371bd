"""Inspect: its logs, `.json` (version 2) or `.eval`. C, P, I and N are 1, 0.5, 0 and 0, as Inspect's own metrics count.

A score with several values becomes one metric for each value, `scorer/value`. Epochs of a sample are one test case.
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

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def fits(found: Any) -> bool:  # noqa: ANN401  (what JSON holds)
    """Return whether this is a log of Inspect."""
    document = as_object(found)
    return "task" in as_object(document.get("eval")) and isinstance(document.get("samples"), list)


def read(found: Any) -> ImportedRun:  # noqa: ANN401
    """Return the run."""
    document = as_object(found)
    eval_info = as_object(document["eval"])
    status = document.get("status")
    return ImportedRun(
        tool="inspect_ai",
        version=str(as_object(eval_info.get("packages")).get("inspect_ai") or ""),
        judge=_judge(eval_info),
        rows=[_row(as_object(sample)) for sample in as_list(document["samples"])],
        notes=() if status == "success" else (f"Inspect says that the run ended with: {status}.",),
        complete=status == "success",
        repeated=True,
    )


def _judge(eval_info: dict[str, Any]) -> str:
    """Return the model that the scorers asked; without one, the scorers decided by rules."""
    roles = as_object(eval_info.get("model_roles"))
    grader = as_text(as_object(roles.get("grader")).get("model"))
    named = (
        as_text(as_object(as_object(scorer).get("options")).get("model"))
        for scorer in as_list(eval_info.get("scorers"))
    )
    return grader or next(filter(None, named), "")


def _row(sample: dict[str, Any]) -> ImportedRow:
    target, output = sample.get("target"), as_object(sample.get("output"))
    messages = [as_object(as_object(choice).get("message")) for choice in as_list(output.get("choices"))]
    choices = [_content(message.get("content")) for message in messages]
    values = {
        "id": str(sample.get("id")),
        "input": _input(sample.get("input")),
        "actual_output": as_text(output.get("completion")) or (choices[0] if choices else None),
        "expected_output": target
        if isinstance(target, str)
        else [str(item) for item in as_list(target)] or None,
        "metadata": as_object(sample.get("metadata")),
    }
    error = as_text(as_object(sample.get("error")).get("message"))
    scores = [
        score
        for name, entry in as_object(sample.get("scores")).items()
        for score in _scores(name, as_object(entry), error)
    ]
    return ImportedRow(only(values), scores)


def _input(value: object) -> str | None:
    """Return the question: a text, or the last message of a user."""
    if isinstance(value, str):
        return value
    messages = [as_object(message) for message in as_list(value)]
    questions = [_content(message.get("content")) for message in messages if message.get("role") == "user"]
    return questions[-1] if questions else None


def _content(content: object) -> str | None:
    if isinstance(content, str):
        return content
    parts = [as_text(as_object(part).get("text")) for part in as_list(content)]
    return "\n".join(filter(None, parts)) or None


def _scores(name: str, entry: dict[str, Any], error: str | None) -> list[ImportedScore]:
    value, reason = entry.get("value"), as_text(entry.get("explanation"))
    table = as_object(value)
    if table:
        return [_score(f"{name}/{key}", part, reason, error) for key, part in table.items()]
    return [_score(name, value, reason, error)]


def _score(name: str, value: object, reason: str | None, error: str | None) -> ImportedScore:
    number = _GRADES.get(value) if isinstance(value, str) and value in _GRADES else as_number(value)
    message = error or (None if number is not None else f"Inspect wrote {value!r}")
    return ImportedScore(name, None if error else number, reason=reason, error=message)
