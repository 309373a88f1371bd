"""What a report says, before anyone decides how it looks: every rendering for people shows this digest."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.reports._figures import count
from ragstone.reports._report import Report
from ragstone.result import Result
from ragstone.stats.summary import Summary


@dataclass(frozen=True, slots=True)
class MetricDigest:
    """One metric over all test cases.

    Attributes:
        name: title, or spec where two metrics share a title.
        summary: n, failed, skipped, mean, pass rate, intervals.
        scores: those measured, in input order.
        threshold: the score that passes.
        higher_is_better: on which side of it.
    """

    name: str
    summary: Summary
    scores: tuple[float, ...]
    threshold: float
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class CaseDigest:
    """A test case that something is wrong with: its number in the dataset, from 1, and its results."""

    number: int
    case: TestCase
    below: tuple[Result, ...]
    failed: tuple[Result, ...]
    fine: int


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Failures of one kind: the message of the first, how many, of which metrics, and the first test case's number."""

    kind: str
    message: str
    count: int
    metrics: tuple[tuple[str, int], ...]
    first: int


@dataclass(frozen=True, slots=True)
class Digest:
    """A report in the order in which it is read: is it good enough, where does it fail, what did it take."""

    metrics: tuple[MetricDigest, ...]
    worst: tuple[CaseDigest, ...]
    errors: tuple[ErrorGroup, ...]
    notes: tuple[str, ...]
    verdict: str
    passed: bool | None
    measured: int
    below: int
    failed: int
    skipped: int


def digest(report: Report) -> Digest:
    """Return what is to be said about a run."""
    results = [result for _, result in report.flat()]
    below = sum(result.status == "FAIL" for result in results)
    failed = sum(result.status == "ERROR" for result in results)
    skipped = sum(result.skipped for result in results)
    return Digest(
        metrics=_metrics(report),
        worst=_worst(report),
        errors=_errors(report),
        notes=report.run.notes,
        verdict=_verdict(report, below, failed, skipped, len(results)),
        passed={0: True, 1: False}.get(report.exit_code),
        measured=len(results) - failed - skipped,
        below=below,
        failed=failed,
        skipped=skipped,
    )


def dataset_name(report: Report) -> str:
    """Return where the test cases came from, for people."""
    return report.run.plan.dataset or "test cases from Python"


def shortfall(result: Result) -> float:
    """Return how far on the wrong side of its threshold a score is; 0 where it passes or there is none."""
    if result.score is None or result.success:
        return 0.0
    return abs(result.score - result.threshold)


def _metrics(report: Report) -> tuple[MetricDigest, ...]:
    summaries = report.summary()
    return tuple(
        MetricDigest(
            name=name,
            summary=summaries[name],
            scores=tuple(result.score for result in results if result.score is not None),
            threshold=results[0].threshold,
            higher_is_better=results[0].higher_is_better,
        )
        for name, results in report.by_metric().items()
    )


def _worst(report: Report) -> tuple[CaseDigest, ...]:
    """Return the test cases with something below its threshold, the worst first, equals in input order."""
    found = [
        CaseDigest(
            number=number,
            case=case,
            below=tuple(sorted(_with(results, "FAIL"), key=shortfall, reverse=True)),
            failed=tuple(_with(results, "ERROR")),
            fine=len(_with(results, "PASS")),
        )
        for number, (case, results) in enumerate(zip(report.cases, report.results, strict=True), 1)
    ]
    bad = [item for item in found if item.below]
    return tuple(sorted(bad, key=lambda item: sum(map(shortfall, item.below)), reverse=True))


def _with(results: Iterable[Result], status: str) -> list[Result]:
    return [result for result in results if result.status == status]


def _errors(report: Report) -> tuple[ErrorGroup, ...]:
    groups: dict[tuple[str, str], list[tuple[int, Result]]] = {}
    for number, results in enumerate(report.results, 1):
        for result in results:
            if result.error is not None:
                groups.setdefault(_kind(result.error), []).append((number, result))
    found = [
        ErrorGroup(
            kind=kind,
            message=(members[0][1].error or "").partition(": ")[2],
            count=len(members),
            metrics=tuple(Counter(result.metric for _, result in members).most_common()),
            first=members[0][0],
        )
        for (kind, _), members in groups.items()
    ]
    return tuple(sorted(found, key=lambda group: -group.count))


def _kind(error: str) -> tuple[str, str]:
    """Return what failures have in common: type, and message without its numbers and quoted words."""
    kind, _, message = error.partition(": ")
    return kind, re.sub(r"'[^']*'|\"[^\"]*\"|\b[0-9a-f]{16}\b|\d+", "#", message)


def _verdict(report: Report, below: int, failed: int, skipped: int, total: int) -> str:
    """Return the sentence that answers: is it good enough?"""
    if total == 0:
        return "Nothing was measured."
    said: list[str] = []
    if below:
        scored = count(total - failed - skipped, "score")
        said.append(f"{below:,} of {scored} {'is' if below == 1 else 'are'} on the wrong side of the threshold")
    if failed:
        said.append(f"{count(failed, 'measurement')} failed")
    if report.rejected:
        said.append(f"{count(len(report.rejected), 'row')} could not be read")
    if not report.complete:
        said.append("the run was stopped early")
    if said:
        sentence = ", ".join(said)
        return f"{sentence[0].upper()}{sentence[1:]}."
    return "Everything passed." if skipped < total else "Everything was skipped."
