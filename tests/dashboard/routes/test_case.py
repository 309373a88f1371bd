"""The page of one test case, in a real browser: claims, passages, what was asked, and where one goes from it."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.dashboard import client
from tests.dashboard.conftest import WIDTHS, Accessible
from tests.dashboard.sample_runs import exchange, keep, policy_case, policy_results, policy_run, two_versions
from tests.dashboard.site import Site, press, served
from tests.findings.sample import POLICY, claims, result

from ragstone import evaluate
from ragstone.case import ToolCall, Turn
from ragstone.dashboard.views.runs import line_headline
from ragstone.dashboard.views.texts import is_markdown
from ragstone.findings.stored import report_from_store
from ragstone.findings.view.report_view import report_view
from ragstone.findings.view.turn_results import conversation_breaks

LIT = "mark.lit.on"


def test_clicking_a_claim_highlights_its_evidence(site: Site, tab: Page) -> None:
    run = policy_run(site.store).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    claim = tab.locator("a.claim.contradicted")
    assert claim.inner_text() == "You can work from home five days a week."
    assert tab.locator(".claim-row.contradicted").inner_text().startswith("✗ contradicted")
    claim.click()
    expect(tab.locator(LIT)).to_have_text("up to 3 days per week")
    expect(tab.locator(".claim-row.on")).to_contain_text("The policy says up to 3 days.")
    expect(tab.locator(LIT)).to_be_in_viewport()


def test_claims_are_walked_through_by_keyboard(site: Site, tab: Page) -> None:
    run = policy_run(site.store).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    press(tab, "j")
    expect(tab.locator("#c1")).to_be_focused()
    press(tab, "j")
    press(tab, "j")
    expect(tab.locator("#c3")).to_have_class("claim-row contradicted on")
    press(tab, "Enter")
    expect(tab.locator(LIT)).to_have_text("up to 3 days per week")


def test_verdicts_are_marked_by_line_style_and_word(site: Site, tab: Page) -> None:
    run = policy_run(site.store).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    lines = {
        name: tab.locator(f"a.claim.{name}").evaluate("e => getComputedStyle(e).textDecorationStyle")
        for name in ("supported", "contradicted", "unmentioned")
    }
    assert lines == {"supported": "solid", "contradicted": "wavy", "unmentioned": "dotted"}
    words = tab.locator(".claim-row .verdict").all_inner_texts()
    assert words == ["✓ supported", "○ not mentioned", "✗ contradicted"]


def test_passages_stand_in_rank_order_with_their_use_and_precision(site: Site, tab: Page) -> None:
    run = policy_run(site.store).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    assert tab.locator(".useful").all_inner_texts() == ["● useful1/1", "● useful2/2", "○ not useful2/3"]
    stairs = [stair.get_attribute("aria-label") for stair in tab.locator("svg.stair").all()]
    assert stairs[2] == "precision of the first 3: 2 of 3 useful"


def test_metrics_show_a_score_or_not_measured(site: Site, tab: Page) -> None:
    run = policy_run(site.store).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    told = tab.locator(".measured > li").all_inner_texts()
    for place, words in enumerate(
        (("Faithfulness", "0.33", "✗ missed"), ("Helpful", "⚠ not measured", "TimedOut"))
    ):
        assert all(word in told[place] for word in words)
    assert "1.00" in told[2]


def test_exchange_is_loaded_when_it_is_opened(site: Site, tab: Page) -> None:
    run = policy_run(site.store).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    summary = tab.locator(".exchange summary")
    for told in ("JudgeClaims", "openai:gpt-4o-mini", "840 ms", "120 tokens in", "14 tokens out"):
        expect(summary).to_contain_text(told)
    assert tab.locator(".exchange pre").count() == 0
    summary.click()
    expect(tab.locator(".exchange pre").first).to_have_text("Is each claim true?")
    expect(tab.locator(".exchange pre").last).to_contain_text('"no"')


def test_next_case_follows_the_sort_order_of_the_table(site: Site, tab: Page) -> None:
    cases = [policy_case(number) for number in (1, 2, 3)]
    run = keep(
        site.store,
        cases,
        [policy_results(case, score) for case, score in zip(cases, (0.4, 0.1, 0.9), strict=True)],
    ).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/1?sort=worst")
    assert tab.locator("[rel=prev]").count() == 0
    press(tab, "ArrowRight")
    tab.wait_for_url("**/cases/0?sort=worst")
    assert tab.locator("h1").inner_text() == "Case 1"
    assert tab.locator("p.way a").get_attribute("href") == f"/runs/{run.id}?sort=worst"


def test_a_conversation_and_its_tools_are_shown(site: Site, tab: Page) -> None:
    call = ToolCall(name="calendar", input_parameters={"day": "Monday"}, output="free")
    turns = (
        Turn(role="user", content="Am I free?"),
        Turn(role="assistant", content="Yes.", tools_called=(call,)),
    )
    case = policy_case(1, turns=turns, tools_called=(call,), expected_tools=(call,))
    run = keep(site.store, [case], [policy_results(case)]).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    assert tab.locator(".turn").all_inner_texts()[1].split("\n")[0] == "assistant"
    assert tab.locator(".tool").inner_text() == 'calendar({"day": "Monday"}) → free'


def test_a_verdict_is_given_by_keyboard_and_kept(site: Site, tab: Page) -> None:
    stored = policy_run(site.store)
    tab.goto(f"{site.url}/runs/{stored.run.id}/cases/0")
    tab.get_by_label("your name").fill("Ann")
    tab.get_by_label("note").fill("Wrong number.")
    tab.locator("h1").click()
    press(tab, "n")
    expect(tab.locator(".said .bad")).to_have_attribute("aria-pressed", "true")
    (said,) = site.store.annotations.of(stored.number)
    assert (said.annotator, said.verdict, said.note) == ("Ann", "no", "Wrong number.")
    press(tab, "u")
    expect(tab.locator(".said .bad")).to_have_attribute("aria-pressed", "false")
    assert site.store.annotations.of(stored.number) == []


def test_case_api_returns_the_data_of_the_page(site: Site) -> None:
    run = policy_run(site.store).run
    found = client.get(f"{site.url}/api/runs/{run.id}/cases/0?sort=worst").json()
    assert (found["run"], found["index"], found["previous"], found["next"]) == (run.id, 0, None, 1)
    assert found["case"]["id"] == "case-1"
    claim = found["readings"][0]["claims"][2]
    assert (claim["word"], claim["passage"]) == ("contradicted", 1)
    assert found["exchanges"][0]["request"] == "Is each claim true?"


def test_unknown_case_run_or_exchange_is_refused(site: Site) -> None:
    run = policy_run(site.store).run
    for path, status in (
        (f"/runs/{run.id}/cases/99", 404),
        ("/runs/nothing/cases/0", 404),
        (f"/runs/{run.id}/cases/-1", 422),
    ):
        for prefix in ("", "/api"):
            assert client.get(f"{site.url}{prefix}{path}").status_code == status, prefix + path
    assert client.get(f"{site.url}/runs/{run.id}/cases/0/exchanges/7").status_code == 404


def test_long_prompt_is_truncated_until_show_all(site: Site, tab: Page) -> None:
    case = policy_case(1)
    run = keep(site.store, [case], [policy_results(case)], [exchange(request="long " * 4000)]).run
    tab.goto(f"{site.url}/runs/{run.id}/cases/0")
    tab.locator(".exchange summary").click()
    tab.locator(".exchange").get_by_role("link", name="show all").click()
    expect(tab.locator(".exchange pre").first).to_have_text("long " * 4000)


def test_the_pages_are_the_same_on_every_database(store_url: str, tmp_path: Path) -> None:
    with served(store_url, folder=tmp_path) as site:
        old, new = two_versions(site.store)
        for path in (
            f"/runs/{new.run.id}/cases/3?sort=worst&text=home&status=missed&metric=faithfulness",
            f"/api/runs/{new.run.id}/cases/3",
            f"/compare?runs={old.run.id}&runs={new.run.id}",
            f"/compare/case?before={old.run.id}&was=0&after={new.run.id}&now=0",
            f"/annotate?run={new.run.id}",
            f"/annotate?run={new.run.id}&of=claims&order=worst",
            f"/annotate/{new.run.id}/agreement",
        ):
            answer = client.get(f"{site.url}{path}", cookies={"ragstone_annotator": "Ann"})
            assert answer.status_code == 200, (path, answer.text[:500])
        saying = {"index": 1, "annotator": "nul \x00 name", "verdict": "no", "note": "nul \x00 and \u202e"}
        assert client.put(f"{site.url}/api/runs/{new.run.id}/annotations", json=saying).status_code == 200
        assert len(client.get(f"{site.url}/api/runs/{new.run.id}/annotations").json()) == 1


def test_scores_are_above_the_fold_and_nothing_moves_under_the_pointer(chromium: Browser, site: Site) -> None:
    stored = policy_run(site.store, 1)
    for width in WIDTHS:
        tab = chromium.new_page(viewport={"width": width, "height": 800})
        tab.goto(f"{site.url}/runs/{stored.run.id}/cases/0")
        box = tab.locator(".strip").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 400
        expect(tab.locator(".strip")).to_contain_text("Faithfulness 0.33")
        height = tab.evaluate("document.body.scrollHeight")
        for claim in tab.locator("a.claim").all():
            claim.hover()
            assert tab.evaluate("document.body.scrollHeight") == height
        tab.mouse.wheel(0, 2_000)
        end_of_yours, metrics = tab.evaluate(  # both at once: the page may still scroll
            """["#yours", "#h-metrics"].map(id => document.querySelector(id).getBoundingClientRect())
            .map((box, place) => place ? box.top : box.bottom)"""
        )
        assert end_of_yours <= metrics
        tab.close()


def test_right_to_left_texts_are_aligned_on_the_page_and_in_the_report(site: Site, tab: Page) -> None:
    text = "\u0643\u0645 \u064a\u0648\u0645\u0627 \u0623\u0639\u0645\u0644\u061f"
    case = policy_case(1, text, input=text, retrieval_context=(text,), expected_output=text)
    run = keep(site.store, [case], [[result(case, 1.0)]])
    reach = """found => found.every(text => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const [words, box] = [range, text].map(each => each.getBoundingClientRect());
        return getComputedStyle(text).direction === "rtl" && box.right - words.right < 20;
    })"""
    tab.goto(f"{site.url}/runs/{run.run.id}/cases/0")
    assert tab.locator(".text").count() == 4
    assert tab.locator(".text").evaluate_all(reach)
    tab.goto(f"{site.url}/runs/{run.run.id}")
    assert tab.locator("#rows td:nth-child(2)").evaluate_all(reach)
    tab.goto("about:blank")
    tab.set_content(report_from_store(site.store, run).to_html())
    tab.locator("details").first.evaluate("details => details.open = true")
    assert tab.locator(".text").count() == 4
    assert tab.locator(".text").evaluate_all(reach)


def test_long_passage_is_folded_around_the_words_that_decide(site: Site, tab: Page) -> None:
    before = "The canteen opens at 11:30 and closes at two. " * 60
    passages = (f"{before}{POLICY[0]} {before}", *POLICY[1:])
    case = policy_case(1, retrieval_context=passages)
    told = claims()
    start = passages[0].index("up to")
    for verdict in told["verdicts"]:
        if verdict.get("span") and verdict.get("passage") == 1:
            verdict["span"] = [start, start + len("up to 3 days per week")]
    run = keep(site.store, [case], [[result(case, 1 / 3, metadata=told)]])
    tab.goto(f"{site.url}/runs/{run.run.id}/cases/0")
    folded = tab.locator(".folded")
    expect(folded).to_have_count(1)
    assert folded.bounding_box()["height"] < 200  # type: ignore[index]
    mark, box = folded.locator("mark").first.bounding_box(), folded.bounding_box()
    assert mark is not None
    assert box is not None
    assert box["y"] <= mark["y"] <= mark["y"] + mark["height"] <= box["y"] + box["height"]
    tab.get_by_role("button", name="show all").click()
    assert folded.bounding_box()["height"] > 600  # type: ignore[index]


def test_markdown_is_rendered_on_demand_and_hostile_markup_stays_text(
    site: Site, tab: Page, accessible: Accessible
) -> None:
    answer = (
        "# Days\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n- **bold**\n\n<script>alert(1)</script> "
        "[link](javascript:alert(1)) ![i](http://example.invalid/x.png)"
    )
    case = policy_case(1, answer)
    run = keep(site.store, [case], [[result(case, 0.5)]])
    tab.goto(f"{site.url}/runs/{run.run.id}/cases/0")
    expect(tab.locator("#answer table")).to_have_count(0)
    tab.get_by_role("link", name="Markdown").click()
    shown = tab.locator("#answer")
    expect(shown.locator("table td")).to_have_text(["1", "2"])
    expect(shown.locator("pre code")).to_have_text("code\n")
    assert shown.locator("script, a, img").count() == 0
    expect(shown).to_contain_text("<script>alert(1)</script>")
    accessible(tab)
    tab.get_by_role("link", name="raw text").click()
    expect(tab.locator("#answer")).to_contain_text("| a | b |")


def test_plain_answer_offers_no_markdown() -> None:
    assert not is_markdown("You can work from home three days a week - as agreed.")
    assert is_markdown("1. one\n2. two")


def chat(_: str, turns: list[dict[str, str]]) -> dict[str, object]:
    """An application whose second answer is wrong, and which fails on a third question."""
    if len(turns) > 3:
        raise LookupError("no <index>")
    said = ("in 1902", "300 metres")[len(turns) // 2]
    return {"answer": f"It is {said}.", "contexts": [f"<b>Passage</b> {len(turns)}: in 1902, 210 metres."]}


def test_turns_show_their_passages_what_metrics_found_and_where_a_conversation_breaks(site: Site) -> None:
    asked = [{"role": "user", "content": question, "expected_output": "It is in 1902."} for question in "abc"]
    rows = [{"turns": asked[:2]}, {"turns": asked[:1]}, {"turns": asked}]
    report = evaluate(rows, "exact_match(per_turn=True)", app=chat, store=site.store, name="chat")
    sentence = "1 of 2 conversations breaks, first at turn 4."
    assert sentence in report_view(report).verdict
    first, last = (
        client.get(f"{site.url}/runs/{report.run.id}/cases/{index}").text.replace("&#34;", '"')
        for index in (0, 2)
    )
    line = site.store.line(site.store.find(report.run.id))
    breaks = conversation_breaks(site.store.results(site.store.find(report.run.id))).sentence()
    assert sentence == "".join(part.text + part.end for part in line_headline(line, 0, breaks)[0])
    assert "&lt;b&gt;Passage&lt;/b&gt; 3: in 1902, 210 metres." in first
    assert first.index("✓ passed") < first.index("✗ missed")
    assert "first that misses" in first
    assert "The test case has no answer" not in first
    assert "the application failed" in last
    assert "LookupError: no &lt;index&gt;" in last
