"""People's verdicts, in a real browser: by keyboard, blind, by two, and how far they and the judge agree."""

import pytest
from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.sample_runs import keep, policy_case, policy_results, policy_run
from tests.dashboard.site import Site, press

from ragstone.store import CaseQuery, StoredRun, Target


def begin(
    tab: Page, url: str, run: StoredRun, person: str = "Ann", *, of: str = "Answers", order: str = ""
) -> None:
    tab.goto(f"{url}/annotate")
    tab.get_by_label("Your name").fill(person)
    tab.get_by_label("Run", exact=True).select_option(run.run.id)
    tab.get_by_label(of).check()
    if order:
        tab.get_by_label(order).check()
    tab.get_by_role("button", name="Begin").click()
    expect(tab.locator("#annotation")).to_be_visible()


def judged(tab: Page, number: int, total: int) -> None:
    expect(tab.locator("#progress-label")).to_have_text(f"{number} of {total} cases judged")


def test_a_queue_is_judged_by_keyboard(site: Site, tab: Page) -> None:
    stored = policy_run(site.store)
    begin(tab, site.url, stored)
    judged(tab, 0, 3)
    for number, key in enumerate("yn?", 1):
        press(tab, key)
        judged(tab, number, 3)
    expect(tab.locator(".empty")).to_contain_text("Nothing left to judge here.")
    expect(tab.locator(".empty code")).to_have_text(f"ragstone agree --run {stored.run.id}")
    said = site.store.annotations.of(stored.number)
    assert sorted(one.verdict for one in said) == ["idk", "no", "yes"]
    assert {one.annotator for one in said} == {"Ann"}
    assert all(one.target == Target() for one in said)


def test_judge_and_other_annotators_are_hidden_before_own_verdict(site: Site, tab: Page) -> None:
    stored = policy_run(site.store)
    site.store.annotations.put(stored.number, 0, "Ben", "yes", note="Ben likes it")
    for of in ("Answers", "Claims"):
        begin(tab, site.url, stored, of=of)
        source = tab.locator("#annotation").evaluate("e => e.outerHTML")
        for word in (
            "The policy says up to 3 days.",
            "0.33",
            "Ben",
            "claim supported",
            "claim contradicted",
            "not mentioned:",
        ):
            assert word not in source, (of, word)


def test_judge_and_other_annotators_are_revealed_after_own_verdict(site: Site, tab: Page) -> None:
    stored = policy_run(site.store, 1)
    site.store.annotations.put(stored.number, 0, "Ben", "yes", note="Ben likes it")
    begin(tab, site.url, stored)
    press(tab, "n")
    expect(tab.locator(".last-verdict")).to_contain_text("you said ✗ bad")
    revealed = tab.locator(".revealed").inner_text()
    assert "Faithfulness ✗ missed its threshold" in revealed
    assert "Ben ✓ good" in revealed


def test_a_verdict_is_undone_and_changed(site: Site, tab: Page) -> None:
    stored = policy_run(site.store)
    begin(tab, site.url, stored)
    first = tab.locator("#h-case a").inner_text()
    press(tab, "m")
    tab.keyboard.type("hasty")
    press(tab, "Escape")
    press(tab, "y")
    judged(tab, 1, 3)
    press(tab, "u")
    expect(tab.locator("#h-case a")).to_have_text(first)
    assert tab.get_by_label("note").input_value() == "hasty"
    expect(tab.locator(".said .good")).to_have_attribute("aria-pressed", "true")
    press(tab, "n")
    expect(tab.locator(".last-verdict")).to_contain_text("you said ✗ bad")
    (said,) = site.store.annotations.of(stored.number)
    assert (said.verdict, said.note) == ("no", "hasty")
    press(tab, "u")
    tab.get_by_role("button", name="undo").click()
    judged(tab, 0, 3)
    assert site.store.annotations.of(stored.number) == []


def test_a_case_is_skipped_and_comes_back_at_the_end(site: Site, tab: Page) -> None:
    stored = policy_run(site.store)
    begin(tab, site.url, stored)
    seen = [tab.locator("#h-case a").inner_text()]
    for key in "syy":
        press(tab, key)
        expect(tab.locator("#h-case a")).not_to_have_text(seen[-1])
        seen.append(tab.locator("#h-case a").inner_text())
    assert seen[3] == seen[0]
    assert len(set(seen)) == 3


def test_claims_are_judged_one_by_one(site: Site, tab: Page) -> None:
    stored = policy_run(site.store, 2)
    begin(tab, site.url, stored, of="Claims")
    expect(tab.locator("a.claim.on")).to_have_text("Remote work exists.")
    for number, key in enumerate(("y", "?"), 1):
        press(tab, key)
        expect(tab.locator(".to-judge [aria-pressed=true]")).to_have_count(number)
    press(tab, "n")
    judged(tab, 1, 2)
    expect(tab.locator(".revealed")).to_contain_text("claim 3: judge ✗ contradicted")
    said = site.store.annotations.of(stored.number)
    assert [(one.target.spec, one.target.statement, one.verdict) for one in said] == [
        ("faithfulness", 0, "yes"),
        ("faithfulness", 1, "idk"),
        ("faithfulness", 2, "no"),
    ]
    assert said[2].claim == "You can work from home five days a week."


def test_keyboard_verdict_applies_to_the_focused_claim(site: Site, tab: Page) -> None:
    stored = policy_run(site.store, 1)
    begin(tab, site.url, stored, of="Claims")
    press(tab, "j")
    press(tab, "j")
    expect(tab.locator("a.claim.on")).to_have_text("The company pays a bicycle.")
    press(tab, "n")
    expect(tab.locator(".to-judge [aria-pressed=true]")).to_have_count(1)
    (said,) = site.store.annotations.of(stored.number)
    assert (said.target.statement, said.verdict) == (1, "no")


def test_the_random_order_is_the_same_for_everybody(site: Site) -> None:
    stored = policy_run(site.store, 30)
    url = f"{site.url}/api/runs/{stored.run.id}/annotations/next"
    first = [client.get(url, params={"annotator": name}).json() for name in ("Ann", "Ben")]
    assert first[0] == first[1]
    order = [client.get(url, params={"annotator": "Ann", "after": place}).json() for place in range(-1, 29)]
    assert sorted(order) == list(range(30))
    assert order != sorted(order)


def test_queue_order_worst_or_differ_selects_the_next_case(site: Site) -> None:
    cases = [policy_case(number) for number in (1, 2, 3)]
    stored = keep(
        site.store,
        cases,
        [policy_results(case, score) for case, score in zip(cases, (0.4, 0.9, 0.1), strict=True)],
    )
    url = f"{site.url}/api/runs/{stored.run.id}/annotations/next"
    assert client.get(url, params={"annotator": "Ann", "order": "worst"}).json() == 2
    assert client.get(url, params={"annotator": "Ann", "order": "differ"}).json() is None
    site.store.annotations.put(stored.number, 0, "Ben", "no")
    site.store.annotations.put(stored.number, 1, "Ben", "no")
    assert client.get(url, params={"annotator": "Ann", "order": "differ"}).json() == 1


def test_agreement_of_two_annotators_and_the_judge_is_shown(site: Site, tab: Page) -> None:
    cases = [policy_case(number) for number in range(40)]
    scores = [0.9 if number % 2 else 0.1 for number in range(40)]
    stored = keep(
        site.store, cases, [policy_results(case, score) for case, score in zip(cases, scores, strict=True)]
    )
    for index in range(40):
        good = index % 2 == 1
        site.store.annotations.put(stored.number, index, "Ann", "yes" if good else "no")
        site.store.annotations.put(stored.number, index, "Ben", "yes" if good != (index % 10 == 0) else "no")
    found = client.get(f"{site.url}/api/runs/{stored.run.id}/agreement").json()
    assert found["annotators"] == {"Ann": 40, "Ben": 40}
    (people,) = found["people"]
    assert (people["n"], people["equal"]) == (40, 36)
    assert people["kappa"]["value"] == pytest.approx(0.8, abs=0.01)
    assert people["kappa"]["interval"]["low"] < 0.8 < people["kappa"]["interval"]["high"]
    judge = {(pair["first"], pair["second"]): pair for pair in found["judge"]}
    assert judge["Ann", "Faithfulness"]["kappa"]["value"] == 1.0
    assert judge["Ann", "ContextualPrecision"]["kappa"]["value"] == 0.0
    begin(tab, site.url, stored)
    expect(tab.locator(".agreement")).to_contain_text("the ceiling for any judge")
    expect(tab.locator(".kappas").first).to_contain_text("0.80")


def test_agreement_is_updated_after_each_annotation(site: Site) -> None:
    stored = policy_run(site.store, 12)
    url = f"{site.url}/api/runs/{stored.run.id}"
    assert client.get(f"{url}/agreement").json()["annotators"] == {}
    for index in range(12):
        saying = {
            "index": index,
            "spec": "faithfulness",
            "statement": 2,
            "annotator": "Ann",
            "verdict": "no" if index else "yes",
        }
        assert client.put(f"{url}/annotations", json=saying).status_code == 200
    (pair,) = [one for one in client.get(f"{url}/agreement").json()["judge"] if one["on"] == "claims"]
    assert (pair["second"], pair["n"], pair["equal"]) == ("Faithfulness", 12, 11)


def test_annotations_api_creates_reads_and_deletes(site: Site) -> None:
    stored = policy_run(site.store)
    url = f"{site.url}/api/runs/{stored.run.id}/annotations"
    saying = {"index": 1, "annotator": "Ann", "verdict": "no", "note": "so"}
    assert client.put(url, json=saying).json()["case_id"] == "case-2"
    assert client.put(url, json={**saying, "verdict": "yes"}).status_code == 200
    (said,) = client.get(url, params={"annotator": "Ann"}).json()
    assert (said["verdict"], said["note"], said["statement"]) == ("yes", "so", None)
    assert client.get(url, params={"index": 0}).json() == []
    about = {"index": 1, "annotator": "Ann"}
    assert [client.delete(url, params=about).status_code for _ in range(2)] == [204, 404]
    for wrong, status in (
        ({**saying, "verdict": "maybe"}, 422),
        ({**saying, "index": 99}, 404),
        ({**saying, "annotator": ""}, 422),
        ({**saying, "spec": "faithfulness", "statement": 9}, 404),
    ):
        assert client.put(url, json=wrong).status_code == status, wrong


def test_annotator_name_is_remembered_in_a_strict_cookie(site: Site, tab: Page) -> None:
    stored = policy_run(site.store)
    begin(tab, site.url, stored, "Änn <b>")
    tab.goto(f"{site.url}/annotate")
    assert tab.get_by_label("Your name").input_value() == "Änn <b>"
    (cookie,) = tab.context.cookies()
    assert (cookie.get("sameSite"), cookie.get("httpOnly")) == ("Strict", True)


def test_annotated_cases_are_found_again_in_the_table(site: Site, tab: Page) -> None:
    stored = policy_run(site.store)
    begin(tab, site.url, stored)
    press(tab, "y")
    judged(tab, 1, 3)
    assert site.store.table(stored).page(CaseQuery(annotator="Ann")).count == 1


def test_empty_annotate_and_compare_pages_show_the_demo_command(site: Site, tab: Page) -> None:
    for path in ("/annotate", "/compare"):
        tab.goto(f"{site.url}{path}")
        assert "ragstone demo --store" in tab.locator(".command code").inner_text()
