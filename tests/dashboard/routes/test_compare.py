"""Two to five runs held against each other, in a real browser."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import escape
from threading import Event

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.dashboard import client
from tests.dashboard.conftest import Accessible
from tests.dashboard.sample_runs import keep, policy_case, policy_run, two_versions
from tests.dashboard.site import Site, press
from tests.findings.sample import result

from ragstone.dashboard.services import comparison_jobs
from ragstone.dashboard.services.comparison import ComparisonSet, compare_runs
from ragstone.dashboard.services.comparison_jobs import Comparisons
from ragstone.dashboard.views.comparison import word_diff
from ragstone.errors import RagstoneError
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.findings import comparison
from ragstone.run import Plan, Run
from ragstone.store import Store


def test_difference_is_shown_with_interval_and_verdict(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    assert tab.locator("h1").inner_text() == "v1 → v2"
    expect(tab.locator(".verdict-line")).to_have_text("Faithfulness got worse.")
    row = tab.locator("tbody.fell tr").first
    assert "1.00 → 0.72" in row.inner_text()
    assert row.locator(".written").inner_text().startswith("✗ \N{MINUS SIGN}0.28 (\N{MINUS SIGN}0.")
    assert "Faithfulness fell by 0.28" in tab.locator(".sentence").inner_text()
    drawn = row.locator("svg")
    low, high = (float(drawn.locator(".whisker").first.get_attribute(name) or 0) for name in ("x", "width"))
    dot = float(drawn.locator(".dot").get_attribute("cx") or 0)
    assert low < dot < low + high < 0


def test_compare_api_equals_the_library_comparison(site: Site) -> None:
    old, new = two_versions(site.store)
    (change,) = client.get(f"{site.url}/api/compare?runs={old.run.id}&runs={new.run.id}").json()["others"][0][
        "metrics"
    ]
    found = comparison.compare(old.run.id, new.run.id, store=site.store.where).metrics[0]
    assert change["sentence"] == found.comparison.sentence()
    assert (change["difference"], change["interval"]["low"], change["interval"]["high"], change["p"]) == (
        found.comparison.difference,
        found.comparison.interval.low,
        found.comparison.interval.high,
        found.comparison.adjusted_p,
    )
    assert (change["broke"], change["mended"], change["n"]) == (found.broke, 0, 40)


def test_flipped_cases_are_shown_side_by_side(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    tab.get_by_role("link", name="14 flipped").first.click()
    expect(tab.locator(".move")).to_have_count(14)
    press(tab, "j")
    press(tab, "Enter")
    sides = tab.locator(".sides section")
    expect(sides).to_have_count(2)
    expect(sides.nth(0).locator("del")).to_have_text("v1")
    expect(sides.nth(1).locator("ins")).to_have_text("v2")
    expect(sides.nth(1)).to_contain_text("✗ contradicted")
    assert sides.nth(1).locator("h3 a").get_attribute("href") == f"/runs/{new.run.id}/cases/0"


def test_different_judges_are_warned_of(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    assert "The judges differ: openai:gpt-4o-mini before, local after" in tab.locator(".warning").inner_text()
    assert tab.locator("tr.differ").inner_text().startswith("judge differs")
    made = tab.locator(".made tbody tr")
    expect(made.filter(has_text="judge calls a case").locator("td")).to_have_text(["3", "3"])
    expect(made.filter(has_text="mean time of a measurement").locator("td")).to_have_text(["12 ms", "12 ms"])
    expect(made.filter(has_text="cost of judging").locator("td")).to_have_text(["$0.04", "$0.04"])


def test_the_order_is_swapped(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    press(tab, "x")
    expect(tab.locator("h1")).to_have_text("v2 → v1")
    expect(tab.locator(".verdict-line")).to_have_text("Faithfulness got better.")


def test_run_ticked_first_in_the_list_is_compared_with_the_earlier_one(site: Site, tab: Page) -> None:
    two_versions(site.store)
    tab.goto(site.url)
    for box in tab.locator("input[name=runs]").all():  # the newest stands first
        box.check()
    tab.get_by_role("button", name="Compare").click()
    expect(tab.locator("h1")).to_have_text("v1 → v2")
    expect(tab.locator(".verdict-line")).to_have_text("Faithfulness got worse.")


def test_form_offers_the_latest_run_and_an_earlier_one_of_the_same_cases(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    case = policy_case(99, input="Something else?", id="other")
    keep(site.store, [case], [[result(case, 0.5)]], name="other data", dataset="other.jsonl")
    latest = two_versions(site.store)[1]
    tab.goto(f"{site.url}/compare")
    assert tab.get_by_label("Baseline").input_value() not in ("", "other data")
    tab.get_by_role("button", name="Compare").click()
    expect(tab.locator(".facts")).to_contain_text("40 cases in common")
    assert latest.run.id in tab.url
    tab.goto(f"{site.url}/runs/{new.run.id}")
    tab.get_by_role("link", name="Compare", exact=True).last.click()
    expect(tab.locator("h1")).to_have_text("v1 → v2")
    assert old.run.id in tab.url


def test_several_runs_against_a_baseline_are_corrected_for_multiplicity(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    other = two_versions(site.store)[1]
    site.store.baselines.put("main", old.number)
    tab.goto(f"{site.url}/compare?baseline=main&runs={new.run.id}&runs={other.run.id}")
    assert tab.locator("h1").inner_text() == "2 runs against v1"
    expect(tab.locator(".facts")).to_contain_text("corrected for 2 differences")
    expect(tab.locator(".against")).to_have_count(2)
    found = client.get(f"{site.url}/api/compare?baseline=main&runs={new.run.id}&runs={other.run.id}").json()
    alone = client.get(f"{site.url}/api/compare?baseline=main&runs={new.run.id}").json()
    ps = [one["metrics"][0]["p"] for one in (*found["others"], *alone["others"])]
    assert ps[0] == pytest.approx(2 * ps[2])


def test_runs_are_chosen_in_a_form(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare")
    tab.get_by_label("Baseline").select_option(old.run.id)
    tab.get_by_label("v2").check()
    tab.get_by_role("button", name="Compare").click()
    expect(tab.locator("h1")).to_have_text("v1 → v2")
    assert tab.url.endswith(f"/compare?baseline={old.run.id}&runs={new.run.id}")


def test_comparison_of_four_cases_says_too_few(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store, 4)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    assert "too few to say" in tab.locator(".written").inner_text()
    assert "too few to show any difference" in tab.locator(".sentence").inner_text()


def test_runs_without_common_cases_are_not_compared(site: Site, tab: Page) -> None:
    old = policy_run(site.store)
    case = policy_case(99, input="Something else?", id="other")
    new = keep(site.store, [case], [[result(case, 0.5, metric="Own")]])
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    expect(tab.locator(".verdict-line")).to_contain_text("Nothing could be compared")


class Held:
    """The real work, which does not begin before it may."""

    def __init__(self) -> None:
        self.may = Event()
        self.begun: list[Sequence[str]] = []
        self.fault: Exception | None = None

    def __call__(self, store: Store, ids: Sequence[str]) -> ComparisonSet:
        self.begun.append(ids)
        self.may.wait(60)
        if self.fault is not None:
            raise self.fault
        return compare_runs(store, ids)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    work = Held()
    monkeypatch.setattr(comparison_jobs, "compare_runs", work)
    yield work
    work.may.set()


def test_each_run_says_what_its_application_took_against_the_baseline(
    site: Site, tab: Page, accessible: Accessible
) -> None:
    took = {"large": (0.004, 900.0), "small": (0.001, 300.0), "same": (0.004, 905.0)}
    runs: list[str] = []
    for name, (cost, latency) in took.items():
        cases = [
            policy_case(place, metadata={"cost": cost, "latency_ms": latency + place % 7})
            for place in range(20)
        ]
        scores = [[result(case, 1.0 if place % 4 else 0.2)] for place, case in enumerate(cases)]
        runs.append(keep(site.store, cases, scores, name=name, app="app:answer").run.id)
    tab.goto(f"{site.url}/compare?{'&'.join(f'runs={run}' for run in runs)}")
    small, same = (tab.locator(f"#against-{run} .section tr") for run in runs[1:])
    expect(small.filter(has_text="cost")).to_contain_text("cheaper by 75 %")
    expect(small.filter(has_text="latency").first).to_contain_text("903 ms")
    expect(small.filter(has_text="latency").last).to_contain_text("faster by 66 %")
    expect(same.filter(has_text="cost")).to_contain_text("no change shown")
    accessible(tab)


def test_page_shows_means_while_the_comparison_is_computed(
    site: Site, tab: Page, held: Held, accessible: Accessible
) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    working = tab.locator(".working")
    expect(working.locator(".verdict-line")).to_contain_text("Computing the differences")
    expect(working.locator("tbody tr")).to_contain_text("1.00 → 0.72")
    expect(working.locator(".warning").first).to_contain_text("The judges differ")
    assert tab.locator("h1").inner_text() == "v1 → v2"
    assert tab.locator(".made tbody tr").count() > 3
    accessible(tab)
    held.may.set()
    expect(tab.locator(".verdict-line")).to_have_text("Faithfulness got worse.")
    expect(working).to_have_count(0)
    expect(tab.locator(".facts")).to_have_text("40 cases in common")
    tab.locator(".move summary").first.click()
    expect(tab.locator(".sides section")).to_have_count(2)


def test_concurrent_requests_compute_a_comparison_once(site: Site, held: Held) -> None:
    old, new = two_versions(site.store)
    both = f"runs={old.run.id}&runs={new.run.id}"
    with ThreadPoolExecutor(12) as viewers:
        asked = [viewers.submit(client.get, f"{site.url}/api/compare?{both}", timeout=60) for _ in range(12)]
        assert "Computing the differences" in client.get(f"{site.url}/compare?{both}").text
        held.may.set()
        assert len({answer.result().text for answer in asked}) == 1
    assert "Faithfulness got worse." in client.get(f"{site.url}/compare?{both}&wait=true").text
    assert len(held.begun) == 1


def test_without_javascript_a_link_leads_to_the_same_figures(site: Site, held: Held) -> None:
    old, new = two_versions(site.store)
    both = f"/compare?runs={old.run.id}&runs={new.run.id}"
    shown = client.get(f"{site.url}{both}").text
    link = f"/compare?baseline={old.run.id}&runs={new.run.id}&wait=true"
    assert f'<noscript><p class="note">Without JavaScript: <a href="{escape(link)}">' in shown
    held.may.set()
    assert "Faithfulness got worse." in client.get(f"{site.url}{link}").text


def test_comparison_error_is_shown_and_can_be_retried(site: Site, tab: Page, held: Held) -> None:
    old, new = two_versions(site.store)
    held.fault = RagstoneError("The disk is full.")
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    expect(tab.locator(".working")).to_be_visible()
    held.may.set()
    expect(tab.locator("main [role=alert]")).to_contain_text("The disk is full.")
    held.fault = None
    tab.get_by_role("link", name="Try again").click()
    expect(tab.locator(".verdict-line")).to_have_text("Faithfulness got worse.")


def test_server_error_replaces_the_progress_message(site: Site, chromium: Browser, held: Held) -> None:
    old, new = two_versions(site.store)
    held.fault = RuntimeError("a fault of ours")
    tab = chromium.new_page()  # what it says on its console is not a surprise here
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    expect(tab.locator(".at-work")).to_be_visible()
    held.may.set()
    expect(tab.locator(".failed")).to_be_visible()
    expect(tab.locator(".at-work")).to_be_hidden()
    expect(tab.locator(".facts")).to_have_text("not compared")
    tab.close()


def test_comparison_of_a_running_run_is_reused_between_requests(
    site: Site, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    held.may.set()
    old, _ = two_versions(site.store)
    run, case = Run.begin(Plan(metrics=("faithfulness",), judge="local")), policy_case(0)
    recorder = site.store.recorder()
    recorder(RunStarted(run, 9))
    comparisons = Comparisons(site.store)

    def look(index: int) -> ComparisonSet:
        recorder(MeasurementFinished(index, 0, case, result(case, 0.5)))
        return comparisons.ask([old, site.store.find(run.id)]).result(60)

    monkeypatch.setattr(comparison_jobs, "_MIN_REUSE_SECONDS", 600.0)
    assert look(0) is look(1)
    assert len(held.begun) == 1
    recorder(RunFinished(run, complete=True))
    assert look(2) is comparisons.ask([old, site.store.find(run.id)]).result(60)
    assert len(held.begun) == 2


def test_three_runs_are_shown_as_a_matrix_with_an_axis_each(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    other = two_versions(site.store)[1]
    tab.goto(f"{site.url}/compare?runs={new.run.id}&runs={other.run.id}&runs={old.run.id}")
    rows = tab.locator(".matrix tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("v1 baseline")
    expect(rows.nth(1)).to_contain_text("✗ \N{MINUS SIGN}0.28 (")
    low = min(abs(float(one.get_attribute("x") or 0)) for one in tab.locator(".drawn .whisker").all()[:1])
    assert 85 <= low <= 95, "an interval fills its own axis"


def test_p_values_stand_behind_a_question_and_the_sentence_has_its_sign(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    expect(tab.locator(".verdict-line.worse")).to_have_text("Faithfulness got worse.")
    expect(tab.get_by_text("permutation test")).to_be_hidden()
    tab.get_by_text("how sure?").click()
    expect(tab.get_by_text("permutation test")).to_be_visible()


def test_passages_that_left_and_came_are_shown_side_by_side(site: Site, tab: Page) -> None:
    runs: list[str] = []
    for passages in (("kept", "left"), ("came", "kept")):
        case = policy_case(1, retrieval_context=passages)
        runs.append(keep(site.store, [case], [[result(case, 0.5, reason=f"because {passages[0]}")]]).run.id)
    tab.goto(f"{site.url}/compare/case?before={runs[0]}&was=0&after={runs[1]}&now=0")
    before, after = tab.locator(".sides section").all()
    expect(before.locator(".lines del")).to_have_text("left")
    expect(after.locator(".lines ins")).to_have_text("came")
    expect(tab.get_by_text("1 passage in both, 1 of them with another rank.")).to_be_visible()
    expect(before).to_contain_text("because kept")
    expect(after).to_contain_text("because came")
    expect(tab.locator(".hints")).to_have_text("")


def test_too_many_too_few_or_unknown_runs_are_refused(site: Site) -> None:
    runs = [policy_run(site.store).run.id for _ in range(6)]
    assert (
        "6 runs are too many" in client.get(f"{site.url}/api/compare", params={"runs": runs}).json()["detail"]
    )
    assert client.get(f"{site.url}/api/compare", params={"runs": runs[:1]}).status_code == 400
    assert client.get(f"{site.url}/compare?runs=nothing&runs=nowhere").status_code == 404


def test_words_that_differ_are_found() -> None:
    found = word_diff("You may work five days.", "You may work up to 3 days.")
    assert [part.text for part in found.before if part.kind == "gone"] == ["five"]
    assert "".join(part.text for part in found.after) == "You may work up to 3 days."


def test_word_diff_of_a_megabyte_is_truncated() -> None:
    found = word_diff("a b " * 250_000, "x" * 1_000_000)
    assert found.cut
    assert sum(len(part.text) for part in found.before) < 3_000
