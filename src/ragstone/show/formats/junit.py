"""JUnit XML for CI systems: one suite for each metric, one test for each test case.

A result that missed its threshold is a failure, one that was not measured an error; one that is undecided is skipped
with that word, as is a skipped one.
Rows that could not be read are errors in a separate suite. The figures are properties of the suites.
"""

from collections.abc import Iterator, Mapping
from typing import IO
from xml.etree.ElementTree import Element, ElementTree, SubElement

from ragstone.case import TestCase
from ragstone.findings.numbers import score
from ragstone.findings.printable import one_line, printable
from ragstone.findings.report import Report
from ragstone.findings.view.metric_names import metric_names
from ragstone.findings.view.report_view import dataset_name, title
from ragstone.result import Result
from ragstone.stats.figure import Figure

_MAX_NAME, _MAX_MESSAGE = 120, 300
"""Maximum lengths of texts, in characters."""

_MILLISECONDS_PER_SECOND = 1000


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    ElementTree(tree(report)).write(file, encoding="utf-8", xml_declaration=True)


def tree(report: Report) -> Element:
    """Return the root element, `testsuites`."""
    root = Element("testsuites", name=one_line(title(report), _MAX_NAME))
    names = metric_names(result for _, result in report.flat())
    summaries = list(report.summary().values())
    for (spec, name), summary in zip(names.items(), summaries, strict=True):
        root.append(_suite(report, spec, name, summary))
    if report.rejected:
        root.append(_rejected_suite(report.rejected))
    root.set("time", f"{report.seconds:.3f}")
    for attribute in ("tests", "failures", "errors", "skipped"):
        root.set(attribute, str(sum(int(suite.get(attribute, "0")) for suite in root)))
    return root


def _suite(report: Report, spec: str, name: str, summary: Figure) -> Element:
    members = [
        (number, case, result)
        for number, (case, results) in enumerate(report, 1)
        for result in results
        if result.spec == spec
    ]
    statuses = [result.status for _, _, result in members]
    suite = Element(
        "testsuite",
        name=one_line(name, _MAX_NAME),
        tests=str(len(members)),
        failures=str(statuses.count("missed")),
        errors=str(statuses.count("not_measured")),
        skipped=str(statuses.count("skipped") + statuses.count("undecided")),
        time=f"{sum(result.latency_ms for _, _, result in members) / _MILLISECONDS_PER_SECOND:.3f}",
        timestamp=report.run.started.isoformat(timespec="seconds"),
    )
    properties = SubElement(suite, "properties")
    for key, value in _properties(report, spec, summary).items():
        SubElement(properties, "property", name=key, value=one_line(value, _MAX_MESSAGE))
    suite.extend(_test(number, case, name, result) for number, case, result in members)
    return suite


def _properties(report: Report, spec: str, summary: Figure) -> Mapping[str, str]:
    figures = {
        "run": report.run.id,
        "judge": report.run.plan.judge,
        "dataset": dataset_name(report),
        "spec": spec,
        "n": str(summary.n),
        **{status: str(count) for status, count in summary.counts.items()},
    }
    if summary.mean is not None:
        figures |= {
            "mean": f"{summary.mean:.6f}",
            "interval_low": f"{summary.interval.low:.6f}",
            "interval_high": f"{summary.interval.high:.6f}",
        }
    if summary.pass_rate is not None:
        figures["pass_rate"] = f"{summary.pass_rate:.6f}"
    for share in summary.shares.labels if summary.shares else ():
        interval = share.interval
        figures[f"label {share.label}"] = f"{share.count} ({interval.low:.6f} to {interval.high:.6f})"
    return figures


def _test(number: int, case: TestCase, name: str, result: Result) -> Element:
    test = Element(
        "testcase",
        classname=f"ragstone.{one_line(name, _MAX_NAME)}",
        name=f"{number} {one_line(case.name or case.input, _MAX_NAME)}",
        time=f"{result.latency_ms / _MILLISECONDS_PER_SECOND:.3f}",
    )
    if result.label is not None:
        properties = SubElement(test, "properties")
        SubElement(properties, "property", name="label", value=one_line(result.label, _MAX_MESSAGE))
    test.extend(_outcome(case, result))
    return test


def _outcome(case: TestCase, result: Result) -> Iterator[Element]:
    reason = result.reason or ""
    if result.status in ("skipped", "undecided"):
        text = reason if result.status == "skipped" else f"undecided: {reason}"
        yield Element("skipped", message=one_line(text, _MAX_MESSAGE))
    elif result.status == "not_measured":
        yield _message("error", result.error_kind or "Error", result.error_message, result.error or "")
    elif result.status == "missed" and result.score is not None and result.threshold is not None:
        side = "below" if result.higher_is_better else "above"
        value = score(result.score, result.threshold)
        message = f"{value} is {side} {score(result.threshold)}. {reason}"
        text = f"{message}\n\ninput: {case.input}\noutput: {case.actual_output or ''}"
        yield _message("failure", "Threshold", message, text)


def _message(tag: str, kind: str, message: str, text: str) -> Element:
    element = Element(tag, type=one_line(kind, _MAX_NAME), message=one_line(message, _MAX_MESSAGE))
    element.text = printable(text)
    return element


def _rejected_suite(rejected: list[str]) -> Element:
    number = str(len(rejected))
    suite = Element(
        "testsuite", name="dataset", tests=number, failures="0", errors=number, skipped="0", time="0"
    )
    for row in rejected:
        name = one_line(row, _MAX_NAME)
        test = SubElement(suite, "testcase", classname="ragstone.dataset", name=name, time="0")
        test.append(_message("error", "BadRow", row, row))
    return suite
