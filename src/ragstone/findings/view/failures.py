"""Failed measurements grouped by kind, with their number."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ragstone.findings.report import Report
from ragstone.findings.view.metric_names import metric_name
from ragstone.result import Result

_VARIABLE = re.compile(r"'[^']*'|\"[^\"]*\"|\b[0-9a-f]{16}\b|\d+")
"""The numbers and quoted words of a message; without them it names the kind of a failure."""


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Failures of one kind: the first message, the count, the count by metric, the number of the first test case."""

    kind: str
    message: str
    count: int
    metrics: tuple[tuple[str, int], ...]
    first: int


def group_errors(report: Report, names: Mapping[str, str]) -> tuple[ErrorGroup, ...]:
    """Return the failures of a run by kind, the most frequent first."""
    numbered = ((number, result) for number, row in enumerate(report.results, 1) for result in row)
    return group_results(numbered, names)


def group_results(numbered: Iterable[tuple[int, Result]], names: Mapping[str, str]) -> tuple[ErrorGroup, ...]:
    """Return the failures among results by kind, the most frequent first; each has the number of its test case."""
    groups: dict[tuple[str, str], list[tuple[int, Result]]] = {}
    for number, result in numbered:
        if result.error is not None:
            message = _VARIABLE.sub("#", result.error_message)
            groups.setdefault((result.error_kind, message), []).append((number, result))
    error_groups = [
        ErrorGroup(
            kind=kind,
            message=members[0][1].error_message,
            count=len(members),
            metrics=tuple(Counter(metric_name(result, names) for _, result in members).most_common()),
            first=members[0][0],
        )
        for (kind, _), members in groups.items()
    ]
    return tuple(sorted(error_groups, key=lambda group: -group.count))
