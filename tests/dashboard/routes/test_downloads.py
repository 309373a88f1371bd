"""What a page shows can be taken away as a file, which holds what the store holds."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.sample_runs import policy_run, two_versions
from tests.dashboard.site import Site

from ragstone.findings.comparison import compare
from ragstone.findings.stored import report_from_store


def test_every_format_of_a_run_holds_its_results(site: Site) -> None:
    stored = policy_run(site.store)
    report = report_from_store(site.store, stored)
    found = {
        kind: client.get(f"{site.url}/api/runs/{stored.run.id}/report", params={"format": kind})
        for kind in ("html", "csv", "json", "jsonl", "md", "xml")
    }
    assert {answer.status_code for answer in found.values()} == {200}
    assert {answer.headers["content-disposition"] for answer in found.values()} == {
        f'attachment; filename="faq-bot.{kind}"' for kind in found
    }
    results = [result for _, result in report.flat()]
    rows = list(csv.DictReader(io.StringIO(found["csv"].text)))
    assert [(row["case_id"], row["spec"], row["status"]) for row in rows] == [
        (result.case_id, result.spec, result.status) for result in results
    ]
    assert [json.loads(line)["score"] for line in found["jsonl"].text.splitlines()] == [
        result.score for result in results
    ]
    assert [case["case"]["id"] for case in json.loads(found["json"].text)["cases"]] == [
        case.id for case in report.cases
    ]
    assert found["html"].text == report.to_html()
    assert found["md"].text == report.to_markdown()
    assert ET.fromstring(found["xml"].text).get("tests") == str(len(results))  # noqa: S314  (our own)


def test_filtered_list_is_taken_away_in_its_order(site: Site, tab: Page) -> None:
    _, new = two_versions(site.store)
    tab.goto(f"{site.url}/runs/{new.run.id}?status=missed&sort=order&descending=true")
    tab.get_by_text("take away").click()
    with tab.expect_download() as begun:
        tab.get_by_role("link", name="JSON", exact=True).click()
    found = json.loads(Path(begun.value.path()).read_text("utf-8"))
    table = client.get(
        f"{site.url}/api/runs/{new.run.id}/results?status=missed&sort=order&descending=true&size=100"
    ).json()
    assert [case["case"]["id"] for case in found["cases"]] == [case["id"] for case in table["cases"]]
    assert len(found["cases"]) == 14
    assert found["run"]["notes"][0] == "Filtered: 14 of 40 test cases, those with status = missed."


@pytest.mark.parametrize("kind", ["md", "html", "json"])
def test_comparison_is_taken_away(site: Site, kind: str) -> None:
    old, new = two_versions(site.store)
    found = compare(*(report_from_store(site.store, run) for run in (old, new)))
    own = {"md": found.to_markdown, "html": found.to_html, "json": found.to_json}[kind]()
    asked = {"baseline": old.run.id, "run": new.run.id, "format": kind}
    answer = client.get(f"{site.url}/api/compare/report", params=asked)
    assert answer.text == own
    assert answer.headers["content-disposition"] == f'attachment; filename="v1-to-v2.{kind}"'


def test_unknown_format_or_run_is_refused(site: Site) -> None:
    stored = policy_run(site.store)
    assert client.get(f"{site.url}/api/runs/{stored.run.id}/report?format=exe").status_code == 422
    assert client.get(f"{site.url}/api/runs/nothing/report").status_code == 404
    assert client.get(f"{site.url}/api/compare/report?run={stored.run.id}&baseline=").status_code == 400


def test_list_is_filtered_by_metric_score_and_metadata(site: Site, tab: Page) -> None:
    _, new = two_versions(site.store)
    tab.goto(f"{site.url}/runs/{new.run.id}")
    tab.locator("#card-0 .plot .pick").first.dispatch_event("click")
    expect(tab.locator("#count")).to_contain_text("14 cases")
    assert "low=0.2&high=0.2399" in tab.url
    expect(tab.locator("#low")).to_have_value("0.2")
    tab.locator("#text").fill("canteen OPENS")
    expect(tab.locator("#count")).to_contain_text("14 cases")
    tab.wait_for_url("**text=canteen**")
    tab.locator("#metadata").fill("team=a")
    tab.locator("#metadata").press("Enter")
    expect(tab.get_by_text("No test case matches")).to_be_visible()
    assert "metadata=team" in tab.url
