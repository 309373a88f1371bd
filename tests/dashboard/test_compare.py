"""Two to five runs held against each other, in a real browser."""

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.dashboard.kept_runs import keep, policy_case, policy_run, two_versions
from tests.dashboard.site import Site
from tests.reports.sample import result

from ragstone.dashboard._word_diff import word_diff
from ragstone.reports import comparison


def test_a_difference_is_told_with_its_interval_and_whether_it_is_real(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    assert tab.locator("h1").inner_text() == "v1 → v2"
    assert tab.locator(".verdict-line").inner_text() == "Faithfulness got worse."
    row = tab.locator("tbody.fell tr").first
    assert "1.00 → 0.72" in row.inner_text()
    assert row.locator(".written").inner_text().startswith("✗ \N{MINUS SIGN}0.28 (\N{MINUS SIGN}0.")
    assert "Faithfulness fell by 0.28" in tab.locator(".sentence").inner_text()
    drawn = row.locator("svg")
    low, high = (float(drawn.locator(".whisker").first.get_attribute(name) or 0) for name in ("x", "width"))
    dot = float(drawn.locator(".dot").get_attribute("cx") or 0)
    assert low < dot < low + high < 0


def test_the_page_says_what_the_library_says(site: Site) -> None:
    old, new = two_versions(site.store)
    (change,) = httpx.get(f"{site.url}/api/compare?runs={old.run.id}&runs={new.run.id}").json()["others"][0][
        "metrics"
    ]
    found = comparison.compare(old.run.id, new.run.id, store=site.store.where).metrics[0]
    assert change["sentence"] == found.comparison.sentence()
    assert (change["difference"], change["low"], change["high"], change["p"]) == (
        found.comparison.difference,
        found.comparison.interval.low,
        found.comparison.interval.high,
        found.comparison.adjusted_p,
    )
    assert (change["broke"], change["mended"], change["n"]) == (found.broke, 0, 40)


def test_what_flipped_is_read_side_by_side(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    tab.get_by_role("link", name="14 flipped").first.click()
    assert tab.locator(".move").count() == 14
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    sides = tab.locator(".sides section")
    expect(sides).to_have_count(2)
    expect(sides.nth(0).locator("del")).to_have_text("v1")
    expect(sides.nth(1).locator("ins")).to_have_text("v2")
    expect(sides.nth(1)).to_contain_text("✗ contradicted")
    assert sides.nth(1).locator("h3 a").get_attribute("href") == f"/runs/{new.run.id}/cases/0"


def test_another_judge_is_called_out(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    assert "The judges differ: openai:gpt-4o-mini before, local after" in tab.locator(".warning").inner_text()
    assert tab.locator("tr.differ").inner_text().startswith("judge differs")


def test_the_order_is_swapped(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    tab.keyboard.press("x")
    expect(tab.locator("h1")).to_have_text("v2 → v1")
    assert tab.locator(".verdict-line").inner_text() == "Faithfulness got better."


def test_several_runs_are_each_held_against_the_baseline_and_corrected_together(
    site: Site, tab: Page
) -> None:
    old, new = two_versions(site.store)
    other = two_versions(site.store)[1]
    site.store.baselines.put("main", old.number)
    tab.goto(f"{site.url}/compare?baseline=main&runs={new.run.id}&runs={other.run.id}")
    assert tab.locator("h1").inner_text() == "2 runs against v1"
    assert "corrected for 2 differences" in tab.locator(".facts").inner_text()
    assert tab.locator(".against").count() == 2
    found = httpx.get(f"{site.url}/api/compare?baseline=main&runs={new.run.id}&runs={other.run.id}").json()
    alone = httpx.get(f"{site.url}/api/compare?baseline=main&runs={new.run.id}").json()
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


def test_too_few_cases_are_said_to_be_too_few(site: Site, tab: Page) -> None:
    old, new = two_versions(site.store, 4)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    assert "too few to say" in tab.locator(".written").inner_text()
    assert "too few to trust" in tab.locator(".sentence").inner_text()


def test_runs_with_nothing_in_common_are_said_to_have_nothing_in_common(site: Site, tab: Page) -> None:
    old = policy_run(site.store)
    case = policy_case(99, input="Something else?", id="other")
    new = keep(site.store, [case], [[result(case, 0.5, metric="Own")]])
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    assert "Nothing could be compared" in tab.locator(".verdict-line").inner_text()


def test_what_cannot_be_compared_is_refused_in_words(site: Site) -> None:
    runs = [policy_run(site.store).run.id for _ in range(6)]
    assert (
        "6 runs are too many" in httpx.get(f"{site.url}/api/compare", params={"runs": runs}).json()["detail"]
    )
    assert httpx.get(f"{site.url}/api/compare", params={"runs": runs[:1]}).status_code == 400
    assert httpx.get(f"{site.url}/compare?runs=nothing&runs=nowhere").status_code == 404


def test_words_that_differ_are_found() -> None:
    found = word_diff("You may work five days.", "You may work up to 3 days.")
    assert [part.text for part in found.before if part.kind == "gone"] == ["five"]
    assert "".join(part.text for part in found.after) == "You may work up to 3 days."


def test_a_megabyte_is_compared_as_far_as_it_is_shown() -> None:
    found = word_diff("a b " * 250_000, "x" * 1_000_000)
    assert found.cut
    assert sum(len(part.text) for part in found.before) < 3_000
