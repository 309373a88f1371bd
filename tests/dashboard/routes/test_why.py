"""The page Why: in a browser it leads from a cause to its cases; the API gives what `ragstone explain` writes."""

import json
from threading import Event

import pytest
from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.world import toy_cases
from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.conftest import Accessible, accessible_everywhere
from tests.dashboard.sample_runs import keep, policy_case, policy_results
from tests.dashboard.site import Site, press
from tests.findings.diagnosis.support_runs import warranty_run
from tests.findings.sample import result

from ragstone import Report, evaluate, explain
from ragstone.dashboard.views import why
from ragstone.event import RunFinished, RunStarted
from ragstone.run import Plan, Run
from ragstone.store import CAUSE, StoredRun


@pytest.fixture(scope="module")
def toy() -> Report:
    planted = {("sound",), ("value swapped",), ("refusal",)}
    cases = [case for case in toy_cases(14) if case.tags in planted]
    return evaluate(cases, preset="diagnosis", judge=PerfectJudge())


def kept(site: Site, report: Report) -> StoredRun:
    return keep(site.store, report.cases, report.results, judge="perfect", metrics=report.run.plan.metrics)


def test_why_page_links_a_run_to_causes_and_cases(site: Site, tab: Page, toy: Report) -> None:
    stored = kept(site, toy)
    tab.goto(f"{site.url}/runs/{stored.run.id}")
    press(tab, "w")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Why")
    expect(tab.get_by_text("14 of 28 misses:").first).to_be_visible()
    tab.get_by_role("link", name="misread", exact=True).click()
    section = tab.get_by_role("region", name="Cases: misread")
    expect(section.get_by_role("row")).to_have_count(13)
    expect(tab.get_by_text("and 2 others").first).to_be_visible()
    expect(section.get_by_text("passage 1 says: The").first).to_be_visible()
    section.get_by_role("link").first.click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Case 2")
    tab.goto(f"{site.url}/runs/{stored.run.id}/why?wait=true")
    press(tab, "Escape")
    expect(tab).to_have_url(f"{site.url}/runs/{stored.run.id}")


def test_similar_failures_are_named_and_lead_to_an_example(site: Site, tab: Page) -> None:
    report = warranty_run()
    stored = kept(site, report)
    similar = explain(report).similar
    assert similar is not None
    (found,) = similar.found
    tab.goto(f"{site.url}/runs/{stored.run.id}/why?wait=true")
    section = tab.get_by_role("region", name="Similar misses")
    expect(section.get_by_text(", ".join(found.words))).to_be_visible()
    expect(section.get_by_text("at most 5 % of runs show a group")).to_be_visible()
    expect(section.get_by_role("link")).to_have_count(3)
    section.get_by_role("link").first.click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(f"Case {found.cluster.missed[0] + 1}")


@pytest.mark.timeout(400)  # on a busy machine
def test_why_page_passes_axe_and_fits_a_phone(
    site: Site, tab: Page, toy: Report, accessible: Accessible
) -> None:
    stored = kept(site, toy)
    tab.goto(f"{site.url}/runs/{stored.run.id}/why?wait=true")
    expect(tab.get_by_role("heading", name="Causes")).to_be_visible()
    accessible_everywhere(tab, accessible)


def test_causes_checked_by_hand_correct_the_shares(
    site: Site, tab: Page, toy: Report, accessible: Accessible
) -> None:
    stored = kept(site, toy)
    tab.goto(f"{site.url}/runs/{stored.run.id}/why?wait=true")
    expect(tab.get_by_role("columnheader", name="by the judge")).to_have_count(0)
    press(tab, "c")
    tab.get_by_label("Your name").fill("Ann")
    tab.get_by_role("button", name="Begin").click()
    expect(tab.get_by_text("0 of 40 cases checked")).to_be_visible()
    accessible(tab)
    heading = tab.get_by_role("heading", level=2)
    first = heading.inner_text()
    press(tab, tab.get_by_role("button", name="ignored", exact=True).get_attribute("data-key") or "")
    expect(tab.get_by_text("1 of 40 cases checked")).to_be_visible()
    press(tab, "u")
    expect(tab.get_by_text("0 of 40 cases checked")).to_be_visible()
    assert heading.inner_text() == first, "what was taken back is asked again"
    press(tab, "s")
    expect(heading).not_to_have_text(first)
    for number in range(4):
        expect(tab.get_by_text(f"{number} of 40 cases checked")).to_be_visible()
        tab.get_by_role("button", name="ignored", exact=True).click()
    press(tab, "Escape")
    expect(tab.get_by_role("columnheader", name="by the judge")).to_be_visible()
    expect(tab.get_by_text("They checked 4 cases and agreed with the judge in 0")).to_be_visible()
    row = tab.get_by_role("region", name="Causes").get_by_role("row", name="ignored")
    expect(row.get_by_role("cell").nth(4)).to_have_text("0 %")
    told = client.get(f"{site.url}/api/runs/{stored.run.id}/why").json()
    assert told["checked"]["checked"] == 4
    assert next(one for one in told["causes"] if one["name"] == "ignored")["share"]["value"] > 0
    assert not client.get(f"{site.url}/api/runs/{stored.run.id}/agreement").json()["annotators"]
    wrong = client.post(
        f"{site.url}/runs/{stored.run.id}/why/checks",
        data={"index": 0, "cause": "rumour", "annotator": "Ann"},
    )
    assert wrong.status_code == 422


def test_why_api_equals_the_json_of_explain(site: Site, toy: Report) -> None:
    stored = kept(site, toy)
    told = client.get(f"{site.url}/api/runs/{stored.run.id}/why").json()
    own = json.loads(explain(toy).to_json())
    assert told["causes"] == own["causes"]
    assert len(told["misses"]) == 28
    grouped = client.get(f"{site.url}/api/runs/{stored.run.id}/why?cluster=document").json()
    assert grouped["cluster"] == "document"
    assert grouped["slices"] is None
    assert client.get(f"{site.url}/api/runs/{stored.run.id}/why?cluster=nothing").status_code == 400
    assert client.get(f"{site.url}/api/runs/unknown/why").status_code == 404


def test_where_nothing_failed_the_page_says_so(site: Site, tab: Page) -> None:
    case = policy_case(0)
    stored = keep(site.store, [case], [[result(case, 1.0)]])
    tab.goto(f"{site.url}/runs/{stored.run.id}/why?wait=true")
    expect(tab.get_by_text("No test case missed a threshold.")).to_be_visible()
    assert not tab.locator("table").count()


def test_a_run_without_test_cases_is_refused_in_words(site: Site) -> None:
    run = Run.begin(Plan(metrics=("faithfulness",), judge="local"))
    recorder = site.store.recorder()
    recorder(RunStarted(run, 1))
    recorder(RunFinished(run, complete=False))
    answer = client.get(f"{site.url}/runs/{run.id}/why?wait=true")
    assert answer.status_code == 400
    assert "no test case" in answer.text


def test_case_places_are_the_dataset_indices(site: Site) -> None:
    cases = [policy_case(number) for number in range(3)]
    stored = keep(site.store, cases, [policy_results(case) for case in cases])
    assert site.store.cases(stored).places() == [0, 1, 2]


def test_causes_are_found_once_until_the_run_or_what_people_said_changes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = policy_case(0)
    stored = keep(site.store, [case], [policy_results(case)])
    found: list[object] = []
    monkeypatch.setattr(
        why, "explain", lambda report, **options: found.append(report) or explain(report, **options)
    )
    pages = [client.get(f"{site.url}/runs/{stored.run.id}/why?wait=true").text for _ in range(3)]
    assert len(found) == 1
    assert len({*pages}) == 1
    site.store.annotations.put(stored.number, 0, "ada", "yes", target=CAUSE, note="invented")
    client.get(f"{site.url}/runs/{stored.run.id}/why?wait=true")
    assert len(found) == 2


def test_page_is_sent_before_its_causes_are_found_and_gets_them(
    site: Site, tab: Page, toy: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = kept(site, toy)
    go_on = Event()

    def explained(report: Report, **options: object) -> object:
        assert go_on.wait(60)
        return explain(report, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(why, "explain", explained)
    tab.goto(f"{site.url}/runs/{stored.run.id}/why")
    expect(tab.get_by_text("Finding the cause of each miss")).to_be_visible()
    expect(tab.get_by_role("heading", name="Causes")).to_have_count(0)
    go_on.set()
    expect(tab.get_by_role("heading", name="Causes")).to_be_visible()
    expect(tab.locator("main")).to_have_count(1)
