import io
from xml.etree import ElementTree as ET

from tests.findings.sample import HOSTILE, fixed_report, report_of

from ragstone.findings import Report
from ragstone.show.formats.junit import write


def parsed(report: Report) -> ET.Element:
    file = io.BytesIO()
    write(report, file)
    return ET.fromstring(file.getvalue())  # noqa: S314  (written by us a line above)


def skeleton(element: ET.Element) -> list[object]:
    return [element.tag, sorted(element.attrib), [skeleton(child) for child in element]]


def test_junit_has_one_suite_per_metric() -> None:
    root = parsed(fixed_report())
    assert root.tag == "testsuites"
    assert [suite.get("name") for suite in root] == ["Faithfulness", "Hallucination", "Helpful", "dataset"]
    assert [len(suite.findall("testcase")) for suite in root] == [12, 12, 12, 1]


def test_junit_failures_errors_and_skipped_cases() -> None:
    faithfulness, hallucination, helpful, dataset = parsed(fixed_report())
    failure = faithfulness.find("testcase/failure")
    assert failure is not None
    assert str(failure.get("message")).startswith("0.33 is below 0.50. 1 of 3 claims")
    error = faithfulness.find("testcase/error")
    assert error is not None
    assert (error.get("type"), error.get("message")) == ("TimedOut", "not measured within 50 s")
    above = hallucination.find("testcase/failure")
    assert above is not None
    assert "above 0.50" in str(above.get("message"))
    assert len(helpful.findall("testcase/skipped")) == 8
    assert dataset.find("testcase/error") is not None


def test_counts_are_those_of_the_elements() -> None:
    root = parsed(fixed_report())
    for suite in (root, *root):
        assert suite.get("tests") == str(len(suite.findall(".//testcase")))
        for plural, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert suite.get(plural) == str(len(suite.findall(f".//{tag}")))
        assert float(str(suite.get("time"))) >= 0


def test_the_figures_stand_in_the_properties() -> None:
    figures = {item.get("name"): item.get("value") for item in parsed(fixed_report())[0].iter("property")}
    assert figures["judge"] == "openai:gpt-4o-mini"
    assert (figures["n"], figures["not_measured"], figures["skipped"]) == ("10", "2", "0")
    assert (
        float(str(figures["interval_low"]))
        < float(str(figures["mean"]))
        < float(str(figures["interval_high"]))
    )


def test_hostile_text_adds_no_xml_element() -> None:
    assert skeleton(parsed(report_of(HOSTILE))) == skeleton(parsed(report_of("plain words")))
