"""OpenAI Evals: the record of `oaieval`, JSON lines: a specification, then events of samples.

`match` events give the metric `match`; the numbers of `metrics` events give a metric each, and so do choices that are
yes or no. Of several events of one type the last counts, since a retried sample is recorded again.
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


def fits(found: Any) -> bool:  # noqa: ANN401  (what JSON holds)
    """Return whether these lines begin with the specification of an eval."""
    lines = as_list(found)
    return bool(lines) and "eval_name" in as_object(as_object(lines[0]).get("spec"))


def read(found: Any) -> ImportedRun:  # noqa: ANN401
    """Return the run."""
    lines = [as_object(line) for line in as_list(found)]
    spec = as_object(lines[0]["spec"])
    samples: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in lines[1:]:
        if "sample_id" in line:
            samples[str(line["sample_id"])].append(line)
    ended = any("final_report" in line for line in lines)
    return ImportedRun(
        tool="openai-evals",
        version="",
        judge=_judge(spec),
        rows=[_row(name, events) for name, events in samples.items()],
        notes=() if ended else ("The record contains no final report: the eval did not finish.",),
        complete=ended,
    )


def _judge(spec: dict[str, Any]) -> str:
    """Return the last completion function where a model grades: it is the grader."""
    config = as_object(spec.get("run_config"))
    graded = "modelgraded" in str(as_object(config.get("eval_spec")).get("cls", ""))
    functions = [str(name) for name in as_list(spec.get("completion_fns"))]
    return functions[-1] if graded and functions else ""


def _row(name: str, events: list[dict[str, Any]]) -> ImportedRow:
    by_type = {str(event.get("type")): as_object(event.get("data")) for event in events}
    sampled = [as_object(event.get("data")) for event in events if event.get("type") == "sampling"]
    first = sampled[0] if sampled else as_object(None)
    match = by_type.get("match", {})
    values = {
        "id": name,
        "input": _prompt(first.get("prompt")) or name,
        "actual_output": _sampled(match.get("sampled") or first.get("sampled")),
        "expected_output": _sampled(match.get("expected")),
    }
    scores = [ImportedScore("match", as_number(match["correct"]))] if "correct" in match else []
    error = as_text(by_type.get("error", {}).get("message"))
    for key, value in by_type.get("metrics", {}).items():
        number = as_number(value)
        if number is not None:
            scores.append(ImportedScore(key, number))
    if error and not scores:
        scores.append(ImportedScore("match", None, error=error))
    return ImportedRow(only(values), scores)


def _prompt(prompt: object) -> str | None:
    """Return the question: a text, or the last message of a user."""
    if isinstance(prompt, str):
        return prompt
    messages = [as_object(message) for message in as_list(prompt)]
    contents = [as_text(message.get("content")) for message in messages if message.get("role") != "assistant"]
    return next(filter(None, reversed(contents)), None)


def _sampled(sampled: object) -> str | None:
    texts = [sampled] if isinstance(sampled, str) else [str(item) for item in as_list(sampled)]
    return texts[0] if texts else None
