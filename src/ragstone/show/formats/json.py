"""The whole report as one JSON document: run, plan, summary, and every test case with its results."""

import json
from collections.abc import Iterator, Sequence
from typing import IO, Any

from ragstone.case import TestCase
from ragstone.findings.application import application_figures, mean_variances
from ragstone.findings.report import Report
from ragstone.findings.view.report_view import judge_accuracy
from ragstone.result import Result
from ragstone.show.formats.jsonl import as_json
from ragstone.show.render.json import figure_values, interval_values, plain
from ragstone.stats.repeats import Repeats

SCHEMA = 2
"""Version of the document's schema, incremented with every incompatible change."""


def render(report: Report) -> str:
    """Return the report as one JSON document."""
    return "".join(_pieces(report))


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    file.writelines(piece.encode() for piece in _pieces(report))


def _pieces(report: Report) -> Iterator[str]:
    """Yield the document piece by piece: one test case on each line, so that it can also be read with line tools."""
    head = json.dumps(_head(report), default=repr, ensure_ascii=True)
    yield f'{head[:-1]}, "cases": [\n'
    for number, (case, results) in enumerate(zip(report.cases, report.results, strict=True)):
        yield "" if number == 0 else ",\n"
        yield _case(case, results)
    yield "\n]}\n"


def _head(report: Report) -> dict[str, Any]:
    repeated, figures = report.repeats(), application_figures(report)
    variances = mean_variances(report)
    return {
        "schema": SCHEMA,
        "run": report.run.model_dump(mode="json"),
        **{name: getattr(report, name) for name in ("complete", "seconds", "exit_code")},
        "usage": report.usage.model_dump(),
        "cost": report.cost,
        "rejected": report.rejected,
        "judge_accuracy": judge_accuracy(report),
        "summary": {name: figure_values(figure) for name, figure in report.summary().items()},
        **(
            {"repeats": {name: _repeated(report, item) for name, item in repeated.items()}}
            if repeated
            else {}
        ),
        **({"application": plain(figures)} if figures else {}),
        **({"variance": {each.name: plain(each.found) for each in variances}} if variances else {}),
    }


def _repeated(report: Report, analysis: Repeats) -> dict[str, Any]:
    return {
        "mean": analysis.mean,
        "interval": interval_values(analysis.interval),
        "passed": analysis.passed,
        "variance_between_cases": analysis.between,
        "variance_of_the_judge": analysis.within,
        "reliability": analysis.reliability,
        "unstable": [report.cases[number].id for number in analysis.unstable],
        "undecided": [
            report.cases[number].id
            for number, case in enumerate(analysis.cases)
            if case.n and case.verdict == "undecided"
        ],
    }


def _case(case: TestCase, results: Sequence[Result]) -> str:
    fields = json.dumps(case.model_dump(mode="json", exclude_none=True, fallback=repr), ensure_ascii=True)
    return f'{{"case": {fields}, "results": [{", ".join(map(as_json, results))}]}}'
