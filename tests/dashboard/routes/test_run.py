"""The page of a run: what it says of the judge."""

import re
from html import unescape
from io import StringIO
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.conftest import Accessible
from tests.dashboard.sample_runs import keep, policy_case, policy_results, policy_run, two_versions
from tests.dashboard.site import Site, press
from tests.findings.sample import result
from tests.testing.outcome import OUTPUTS, Outcome, outcomes

from ragstone import evaluate
from ragstone.cli._output import print_document
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.findings.stored import report_from_store, report_with_baseline
from ragstone.findings.view.report_view import report_view
from ragstone.judges import ScriptedJudge
from ragstone.judges.local.accuracy import everyday_accuracy
from ragstone.prompts import ReviewCase
from ragstone.run import Plan, Run
from ragstone.store import RunQuery


def _text(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html)).strip()


def test_run_of_the_embedded_judge_shows_its_accuracy(site: Site) -> None:
    case = policy_case(0)
    local = keep(site.store, [case], [policy_results(case)], judge="local")
    other = keep(site.store, [case], [policy_results(case)])
    shown, silent = (client.get(f"{site.url}/runs/{run.run.id}").text for run in (local, other))
    assert everyday_accuracy().sentence() in shown
    assert "everyday claims" not in silent


def test_run_without_judge_calls_shows_no_accuracy(site: Site) -> None:
    case = policy_case(0)
    unasked = [result.model_copy(update={"usage": type(result.usage)()}) for result in policy_results(case)]
    run = keep(site.store, [case], [unasked], judge="local")
    assert "everyday claims" not in client.get(f"{site.url}/runs/{run.run.id}").text


def test_labels_are_one_bar_filter_the_cases_and_are_compared(site: Site, tmp_path: Path) -> None:
    store = str(tmp_path / "runs.sqlite3")
    for name, outputs in (("v1", ("answered",) * 16 + ("?",)), ("v2", OUTPUTS)):
        cases = [case.model_copy(update={"id": case.input}) for case in outcomes(*outputs)]
        evaluate(cases, [Outcome()], store=store, name=name)
    shown = client.get(f"{site.url}/runs/v2").text
    assert re.findall(r'<rect x="[^"]*" y="0.5" width="[^"]*" height="17" class="part ([^"]*)">', shown) == [
        "p1",
        "p3",
        "open",
    ]
    assert "71 to 76\N{NO-BREAK SPACE}%" in shown
    assert "labels of Outcome changed" not in shown
    refused = client.get(f"{site.url}/runs/v2?label=refused").text
    assert "4 cases" in refused
    assert '<option value="refused" selected>' in refused
    runs = f"runs={site.store.find('v1').run.id}&runs={site.store.find('v2').run.id}"
    compared = _text(client.get(f"{site.url}/compare?{runs}&wait=true").text)
    assert "Labels of Outcome: 4 of 17 cases moved, 1 undecided" in compared
    assert "Stuart-Maxwell" in compared
    labels = client.get(f"{site.url}/api/compare?{runs}").json()["others"][0]["labels"]["Outcome"]
    assert labels["table"] == [[12, 0, 4], [0, 0, 0], [0, 0, 0]]


def test_eight_passed_cases_show_the_bound_and_distinct_specs(site: Site, tmp_path: Path) -> None:
    case = {"input": "Capital of France?", "actual_output": "Paris"}
    specs = ("pattern_match(pattern='Paris')", "pattern_match(pattern='P.*')")
    store = str(tmp_path / "runs.sqlite3")
    report = evaluate([case | {"id": f"{n}"} for n in range(8)], specs, store=store, progress=False)
    shown, listed = (client.get(f"{site.url}{path}").text for path in (f"/runs/{report.run.id}", "/"))
    assert shown.count("8 of 8 passed, but up to 32\N{NO-BREAK SPACE}% of such cases may miss") == 2
    for page in (shown, listed):
        plain = unescape(page).replace("\N{ZERO WIDTH SPACE}", "")
        assert "Pattern Match (pattern='Paris')" in plain
        assert "Pattern Match (pattern='P.*')" in plain


def test_run_that_reviewed_its_cases_begins_with_a_sentence_on_them(site: Site, tmp_path: Path) -> None:
    review = {"unanswered": [], "faults": [], "deciding": [], "rank": None}
    judge = ScriptedJudge().respond(ReviewCase, {**review, "answer": "acceptable", "context": "insufficient"})
    case = {"input": "q", "actual_output": "a", "retrieval_context": ["p"]}
    metrics = ["answer_acceptance", "context_sufficiency", "faithfulness"]
    store = str(tmp_path / "runs.sqlite3")
    report = evaluate([case], metrics, judge=judge, details="flagged", store=store, progress=False)
    shown = client.get(f"{site.url}/runs/{report.run.id}").text
    headline = _text(shown.split('class="headline">')[1].split("</p>")[0])
    assert headline == report_view(report).verdict
    assert headline.startswith("The answer holds; in 1 case the passages lack what is needed.")
    assert shown.count('<article class="card"') == 2, "details of flagged cases have no mean"


def test_baseline_of_other_data_is_not_drawn(site: Site) -> None:
    old, new = two_versions(site.store)
    case = policy_case(99, input="Something else?", id="other")
    other = keep(site.store, [case], [[result(case, 0.98)]], name="other data", dataset="other.jsonl")
    site.store.baselines.put("main", other.number)
    shown, first = (client.get(f"{site.url}/runs/{run.run.id}").text for run in (new, old))
    assert "was 1.00 in v1" in shown
    assert "in main" not in shown
    assert "was " not in first.split('id="cards"')[1].split("</section>")[0]
    site.store.baselines.put("main", old.number)
    assert "was 1.00 in main" in client.get(f"{site.url}/runs/{new.run.id}").text


def test_sorting_by_a_metric_leaves_no_case_out(site: Site) -> None:
    cases = [policy_case(number) for number in range(4)]
    rows = [[result(case, number / 4)] for number, case in enumerate(cases)]
    run = keep(site.store, cases, rows, metrics=("faithfulness", "contextual_recall"))
    sort = {"sort": "score", "metric": "contextual_recall"}
    found = client.get(f"{site.url}/api/runs/{run.run.id}/results", params=sort).json()
    assert found["count"] == 4


def test_every_outcome_of_the_filter_is_accepted(site: Site) -> None:
    run = keep(site.store, [policy_case(0)], [policy_results(policy_case(0))])
    for status in ("passed", "missed", "undecided", "not_measured", "skipped"):
        assert (
            client.get(
                f"{site.url}/runs/{run.run.id}", params={"status": status, "low": "", "high": ""}
            ).status_code
            == 200
        )


def test_list_of_runs_counts_cases_as_cases(site: Site) -> None:
    cases = [policy_case(number) for number in range(4)]
    keep(site.store, cases, [policy_results(case) for case in cases])
    assert ">4 cases" in client.get(site.url).text


def test_headline_of_run_and_report_is_the_same_and_each_part_leads_to_its_cases(
    site: Site, tab: Page
) -> None:
    _, new = two_versions(site.store)
    verdict = report_view(report_from_store(site.store, new)).verdict
    tab.goto(f"{site.url}/runs/{new.run.id}")
    expect(tab.locator("#head .headline")).to_have_text(verdict)
    expect(tab.locator("#head .change")).to_have_text(
        "Against v1 (40 in common): \N{BALLOT X}\N{NO-BREAK SPACE}Faithfulness fell by 0.28."
    )
    tab.locator("#head .headline a").first.click()
    expect(tab.locator("#count")).to_contain_text("14 cases")
    tab.locator("#head .change a", has_text="fell").click()
    expect(tab.locator("#h-cases")).to_contain_text("Cases that got worse")
    expect(tab.locator(".move")).to_have_count(14)
    document = report_with_baseline(site.store, new).document()
    assert document.change == "Against v1 (40 in common): Faithfulness fell by 0.28."
    assert document.change in client.get(f"{site.url}/api/runs/{new.run.id}/report").text
    filtered = client.get(f"{site.url}/api/runs/{new.run.id}/report", params={"status": "missed"}).text
    assert "in common" not in filtered, "a part of a run is not compared with a whole one"
    told = StringIO()
    print_document(document, told)
    assert document.change in told.getvalue()


def test_list_of_runs_tells_what_each_found_and_what_changed(site: Site, tab: Page) -> None:
    two_versions(site.store)
    tab.goto(site.url)
    rows = tab.locator("tbody tr")
    expect(rows.nth(0).locator(".change")).to_contain_text("Against v1: \N{BALLOT X}")
    expect(rows.nth(0).locator(".change")).to_have_attribute(
        "title", re.compile(r"^Against v1 \(40 in common\)")
    )
    expect(rows.nth(1).locator(".change")).to_have_text("No earlier run over these cases.")
    before = rows.nth(0).bounding_box()
    tab.reload()
    expect(rows.nth(0).locator(".change a")).to_have_count(2)
    assert before == rows.nth(0).bounding_box()
    expect(rows.nth(0).locator(".headline")).to_have_text("14 of 40 scores miss their threshold.")


def test_runs_of_different_metrics_stand_in_one_list(site: Site) -> None:
    cases = [policy_case(number) for number in range(2)]
    for place in range(2):
        keep(site.store, cases, [policy_results(case)[place : place + 1] for case in cases])
    page = client.get(site.url)
    assert page.status_code == 200
    assert page.text.count('class="figure none quiet"') == 2


def test_run_is_one_line_of_the_list_whose_columns_are_chosen(site: Site, tab: Page) -> None:
    cases = [policy_case(number) for number in range(12)]
    results = [policy_results(case) for case in cases]
    for name in ("v1", "v2"):
        keep(site.store, cases, results, name=name)
    tab.goto(site.url)
    for row in tab.locator("tbody tr").all():
        box = row.bounding_box()
        assert box is not None
        assert box["height"] <= 48
    metrics = len(results[0])
    expect(tab.get_by_role("columnheader")).to_have_count(5 + metrics)
    tab.locator(".columns summary").click()
    tab.get_by_label("Faithfulness", exact=True).uncheck()
    tab.get_by_role("button", name="Show").click()
    expect(tab.get_by_role("columnheader")).to_have_count(4 + metrics)
    tab.fill("#text", "v2")
    tab.wait_for_url(re.compile("text=v2"))
    assert "columns=contextual_precision" in tab.url
    expect(tab.locator("tbody tr")).to_have_count(1)
    expect(tab.get_by_role("columnheader", name="Faithfulness")).to_have_count(0)


def test_hidden_column_of_the_cases_stays_hidden_when_rows_arrive(site: Site, tab: Page) -> None:
    run = Run.begin(Plan(metrics=("faithfulness", "contextual_precision"), judge="local", name="going on"))
    recorder = site.store.recorder()
    recorder(RunStarted(run, 6))

    def measure(index: int) -> None:
        case = policy_case(index)
        for place, one in enumerate(policy_results(case)[:2]):
            recorder(MeasurementFinished(index, place, case, one))

    measure(0)
    tab.goto(f"{site.url}/runs/{run.id}?columns=faithfulness")
    expect(tab.get_by_role("columnheader")).to_have_count(3)
    measure(1)
    rows = tab.locator("#rows tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1).locator("td:visible")).to_have_count(3)
    recorder(RunFinished(run, complete=True))


def test_focus_stays_on_the_heading_that_sorts(site: Site, tab: Page) -> None:
    run = policy_run(site.store)
    tab.goto(f"{site.url}/runs/{run.run.id}")
    heading = tab.locator("thead a").nth(2)
    for order in ("ascending", "descending"):
        heading.press("Enter")
        expect(tab.locator(f"th[aria-sort={order}]")).to_contain_text("Faithfulness")
        expect(heading).to_be_focused()


def test_groups_show_the_figures_of_each_tag_and_of_each_value_of_the_metadata(
    site: Site, tab: Page, accessible: Accessible
) -> None:
    cases = [
        policy_case(
            number, tags=("hr", "new") if number % 3 else ("hr",), metadata={"team": "ab"[number % 2]}
        )
        for number in range(24)
    ]
    rows = [[result(case, 1.0 if number % 2 else 0.0)] for number, case in enumerate(cases)]
    run = keep(site.store, cases, rows)
    tab.goto(f"{site.url}/runs/{run.run.id}")
    press(tab, "g")
    groups = tab.locator(".groups tbody tr")
    expect(groups).to_have_count(2)
    expect(groups.nth(0)).to_contain_text(re.compile(r"hr\s*24\s*0\.50.*12 of 24", re.DOTALL))
    expect(groups.nth(1)).to_contain_text(re.compile(r"new\s*16"))
    accessible(tab)
    tab.get_by_label("group by").select_option("team")
    tab.get_by_role("button", name="Group").click()
    expect(groups.nth(0)).to_contain_text(re.compile(r"a\s*12\s*0\.00"))
    groups.nth(1).get_by_role("link").click()
    expect(tab.locator("#count")).to_contain_text("12 cases")
    assert client.get(f"{site.url}/runs/{run.run.id}/groups?by=nothing").status_code == 200


def test_name_tags_and_note_of_a_run_are_edited(site: Site, tab: Page) -> None:
    run = policy_run(site.store)
    tab.goto(f"{site.url}/runs/{run.run.id}")
    tab.get_by_text("Manage this run").click()
    tab.fill("#run-name", "retriever v9")
    tab.fill("#run-tags", "nightly, faq")
    tab.fill("#run-note", "With the new chunks.")
    tab.get_by_role("button", name="Save").click()
    expect(tab.locator("h1")).to_have_text("retriever v9")
    expect(tab.locator("p.note")).to_have_text("✎ With the new chunks.")
    stored = site.store.find("retriever v9")
    assert (stored.run.plan.tags, stored.run.notes) == (("nightly", "faq"), ("Note: With the new chunks.",))
    assert site.store.history(RunQuery(tag="faq")).count == 1
    tab.get_by_text("Manage this run").click()
    tab.fill("#run-note", "")
    tab.get_by_role("button", name="Save").click()
    expect(tab.locator("p.note")).to_have_count(0)
    assert site.store.find(run.run.id).run.notes == ()
