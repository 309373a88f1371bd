"""The page Watch in a real browser: what real workers judged, live; alarms, the drawn ones, the spans of a trace."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.conftest import Accessible, accessible_everywhere
from tests.dashboard.site import Site, press, wait_until
from tests.traces.otlp_requests import request
from tests.traces.rag_traces import ANSWER, PASSAGES, QUESTION, openinference

from ragstone.store.queue.watch_state import save_check, save_plan
from ragstone.traces import parse_request
from ragstone.watch.checks import make_checks
from ragstone.watch.drift import QuestionDrift, SetCoverage, TopicChange
from ragstone.watch.judge_check import AnchorResults
from ragstone.watch.plan import WatchPlan, read_plan
from ragstone.watch.worker import TraceWorker, work

PLAN = WatchPlan.model_validate(
    {
        "name": "lamps",
        "metrics": ["pattern_match(pattern='.*two years.*')", "contextual_relevancy"],
        "unit": {"settle": 0},
        "judge": {"sample": "local", "people": 0.2},
        "sample": {"start": 0.4},
        "alarm": [{"metric": "pattern_match", "below": 0.8, "run_length": 500}],
    }
)


NEWER = {
    "/watch": (
        "The judges",
        "What users ask",
        "Feedback",
        "Drawn for people",
        "Drawn for openai:gpt-4o-mini",
    )
}
"""The sections of the page that a watch need not have."""


def receive(site: Site, numbers: range, answer: str = ANSWER, release: str = "1.0") -> None:
    """Put traces of the lamp shop into the queue, and judge them."""
    queue = site.store.traces
    for number in numbers:
        spans: list[dict[str, Any]] = [{**span, "traceId": f"{number:032x}"} for span in openinference()]
        sent = json.dumps(request(spans, {"service.version": release}))
        queue.put(parse_request(json.loads(sent.replace(ANSWER, answer))).records)
    with ThreadPoolExecutor(1) as pool:  # Playwright's loop runs in this thread
        pool.submit(lambda: asyncio.run(work(TraceWorker(queue, PLAN), stop=None))).result()


def test_watch_page_shows_judged_traces_and_updates_live(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/watch")
    expect(tab.get_by_role("heading", name="Nothing is watched yet")).to_be_visible()
    receive(site, range(1, 31))
    expect(tab.get_by_role("heading", level=1, name="lamps")).to_be_visible()
    expect(tab.get_by_text("30 judged")).to_be_visible()
    card = tab.locator(".card", has_text="Pattern Match")
    expect(card.locator(".big")).to_have_text("1.00")
    expect(card.get_by_text("n 30")).to_be_visible()
    expect(card.get_by_text("by the sample 1.00")).to_be_visible()
    expect(tab.locator(".alarms")).to_contain_text("✓ ok")
    receive(site, range(31, 61), answer="I cannot say.", release="2.0")
    expect(tab.locator(".alarms")).to_contain_text("✗ alarm")
    expect(tab.locator(".alarms")).to_contain_text("raised")
    expect(card.get_by_text("n 60")).to_be_visible()
    expect(tab.get_by_text("releases: 1.0, 2.0").first).to_be_visible()
    rows = tab.get_by_role("region", name="Worst traces").get_by_role("row")
    expect(rows).to_have_count(13)
    press(tab, "j")
    focused = tab.evaluate("document.activeElement.id")
    assert focused.startswith("worst-")
    receive(site, range(61, 62))
    expect(card.get_by_text("n 61")).to_be_visible()
    assert tab.evaluate("document.activeElement.id").startswith("worst-")


def test_alarm_is_counted_in_the_navigation_and_leads_to_its_traces(site: Site, tab: Page) -> None:
    receive(site, range(1, 41), answer="I cannot say.")
    wait_until(lambda: '1<span class="hidden"> alarm</span>' in client.get(site.url).text)
    tab.goto(site.url)
    tab.get_by_role("link", name="Watch ✗ 1 alarm").click()
    assert tab.locator(".alarms li").first.inner_text().count("mean") == 1
    tab.get_by_role("link", name="traces of pattern_match, worst first").click()
    worst = tab.get_by_role("region", name="Worst traces")
    expect(worst.get_by_role("row", name="Pattern Match")).to_have_count(12)
    expect(worst.get_by_role("row")).to_have_count(13)
    expect(worst.locator("td.why").first).to_contain_text("does not match")
    tab.get_by_role("link", name="of all metrics").click()
    expect(tab.get_by_role("link", name="of all metrics")).to_have_count(0)


def test_a_row_leads_to_its_case_and_to_its_spans(site: Site, tab: Page) -> None:
    receive(site, range(1, 4), answer="<b>I cannot say.</b>")
    tab.goto(f"{site.url}/watch")
    worst = tab.get_by_role("region", name="Worst traces")
    worst.get_by_role("link", name=QUESTION).first.click()
    expect(tab.locator(".answer")).to_have_text("<b>I cannot say.</b>")
    tab.goto(f"{site.url}/watch")
    worst.get_by_role("link", name="spans of the trace").first.click()
    spans = tab.get_by_role("region", name="Spans by time").get_by_role("row")
    expect(spans).to_have_count(5)
    expect(spans.nth(1)).to_contain_text(re.compile(r"✗ Pattern Match 0\.0"))
    expect(spans.nth(3)).to_contain_text("70 / 8")
    spans.nth(3).locator("summary").click()
    shown = spans.nth(3).locator("dl")
    expect(shown).to_contain_text("llm.output_messages.0.message.content")
    expect(shown).to_contain_text("<b>I cannot say.</b>")
    expect(tab.get_by_role("region", name="passages that the model saw")).to_contain_text(PASSAGES[0])
    expect(tab.get_by_role("region", name="cut: retrieved, but not in the prompt")).to_contain_text(
        PASSAGES[2]
    )
    press(tab, "Escape")
    expect(tab).to_have_url(f"{site.url}/watch")


def test_sampled_traces_are_annotated_and_human_verdicts_counted(site: Site, tab: Page) -> None:
    receive(site, range(1, 31))
    tab.goto(f"{site.url}/watch")
    drawn = tab.get_by_role("region", name="Drawn for people")
    card = tab.locator(".card", has_text="Pattern Match")
    expect(card.get_by_text("from 0 human verdicts; 13 asked for")).to_be_visible()
    expect(drawn.get_by_role("listitem")).to_contain_text("13 test cases, 13 not judged yet")
    drawn.get_by_role("link", name="Annotate").click()
    tab.get_by_label("Your name").fill("Ann")
    tab.get_by_role("button", name="Begin").click()
    for number, key in enumerate("yn?", 1):
        press(tab, key)
        expect(tab.locator("#progress-label")).to_have_text(f"{number} of 13 cases judged")
    tab.goto(f"{site.url}/watch")
    expect(
        card.get_by_text("by people 0.50, too few to say, from 2 human verdicts, 1 unsure")
    ).to_be_visible()
    expect(drawn.get_by_role("listitem")).to_contain_text("10 not judged yet")
    told = client.get(f"{site.url}/api/watch").json()["metrics"]
    people = [one["people"] for one in told]
    assert [(each["value"], each["low"], each["drawn"]) for each in people] == [(0.5, None, 2)] * 2


def fill_every_section(site: Site) -> None:
    """Let the page have all that it can show: two judges, of which one could not be checked, drift, feedback."""
    receive(site, range(1, 13))
    receive(site, range(13, 49), answer="I cannot say.", release="2.0")
    engine = site.store.traces.engine
    more = {"anchor": {"file": "a"}, "drift": {}, "unit": {"by": "span:a quite long name of a span"}}
    judge = {"sample": "openai:gpt-4o-mini", "people": 0.2}
    plan = WatchPlan.model_validate(PLAN.model_dump() | more | {"judge": judge})
    save_plan(engine, plan.name, plan.model_dump_json())
    long_name = "contextual_relevancy(threshold=0.75)"
    first = AnchorResults("k", "local", long_name, (True,) * 60, "").after({}, 0.001, 1e9)
    fallen = AnchorResults("k", "local", long_name, (False,) * 20 + (True,) * 39 + (None,), "")
    save_check(engine, plan.name, "anchor", fallen.after(first, 0.001, 1.1e9))
    silent = AnchorResults("k", "openai:gpt-4o-mini", long_name, (None,) * 60, "ProviderError: " + "x" * 400)
    save_check(engine, plan.name, "anchor (sample)", silent.after(first, 0.001, 1.1e9))
    words = ("apprenticeships", "internationalisation", "warehouse", "salary")
    coverage = SetCoverage(0.7, 0.6, 0.78, 100, ((words, 30), ((), 4)))
    topics = (TopicChange(words, 0.02, 0.3, 0.001), TopicChange((), 0.4, 0.1, 0.01))
    drift = QuestionDrift("alarm", 0.001, 100, 400, topics, coverage, 1e9, 1, 1e9)
    save_check(engine, plan.name, "drift", asdict(drift))
    said: dict[str, Any] = {"trace_id": f"{1:032x}", "comment": "Because."}
    for number in range(1, 15):
        thumb = {"trace_id": f"{number:032x}", "thumb": "up" if number % 3 else "down"}
        assert client.post(f"{site.url}/api/feedback", json=said | thumb).status_code == 201
    assert client.post(f"{site.url}/api/feedback", json=said | {"name": "a" * 90}).status_code == 201


@pytest.mark.timeout(400)  # on a busy machine
def test_watch_pages_pass_axe_and_fit_a_phone(site: Site, tab: Page, accessible: Accessible) -> None:
    fill_every_section(site)
    for path in ("/watch", f"/watch/traces/{1:032x}"):
        tab.goto(f"{site.url}{path}")
        shown = "Spans by time" if "traces" in path else "Metrics"
        expect(tab.get_by_role("region", name=shown)).to_be_visible()
        for name in NEWER.get(path, ("feedback", "spans")):
            expect(tab.get_by_role("region", name=name, exact=True)).to_be_visible()
        accessible_everywhere(tab, accessible)


def test_watch_api_returns_means_alarms_and_judges(site: Site) -> None:
    assert client.get(f"{site.url}/api/watch").status_code == 404
    assert client.get(f"{site.url}/watch/traces/unknown").status_code == 404
    assert client.get(f"{site.url}/watch/live").status_code == 204
    receive(site, range(1, 13))
    told = client.get(f"{site.url}/api/watch").json()
    assert (told["name"], told["queue"]["judged"], told["queue"]["waiting"]) == ("lamps", 12, 0)
    first = next(one for one in told["metrics"] if one["metric"].startswith("pattern"))
    assert (first["figure"]["mean"], first["figure"]["n"]) == (1.0, 12)
    assert first["figure"]["interval"]["low"] < first["figure"]["interval"]["high"] == 1.0
    alarm = told["alarms"][0]
    assert (alarm["alarm"]["metric"], alarm["alarm"]["below"]) == ("pattern_match", 0.8)
    assert (alarm["status"], alarm["changed"], alarm["reason"]) == ("ok", None, "")
    assert told["judges"] == []
    assert client.get(f"{site.url}/watch?name=other").status_code == 404


def test_the_health_of_the_judge_is_shown(site: Site, tab: Page, tmp_path: Path) -> None:
    rows = [
        {"input": "q", "actual_output": f"two years {n}" if n % 2 else "no", "label": n % 2}
        for n in range(20)
    ]
    (tmp_path / "anchor.jsonl").write_text("\n".join(map(json.dumps, rows)))
    anchor = {"file": str(tmp_path / "anchor.jsonl"), "metric": "pattern_match", "every": "1d"}
    values = {"name": "checked", "metrics": PLAN.metrics, "anchor": anchor}
    plan = WatchPlan.model_validate(values)
    save_plan(site.store.traces.engine, plan.name, plan.model_dump_json())
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: asyncio.run(make_checks(site.store.traces, plan))).result() == []
    tab.goto(f"{site.url}/watch")
    judge = tab.get_by_role("region", name="The judge")
    expect(judge).to_contain_text("✓ unchanged")
    expect(judge).to_contain_text("1.00 agreement with people")
    (told,) = client.get(f"{site.url}/api/watch").json()["judges"]
    health = told["health"]
    assert (health["agreed"], health["n"], health["status"], told["unchecked"]) == (20, 20, "ok", None)
    assert client.get(f"{site.url}/watch/live?name=%00").status_code < 500


def test_judges_that_could_not_be_checked_are_shown_as_such(site: Site, hostile: str) -> None:
    values = {
        "name": "checked",
        "metrics": PLAN.metrics,
        "judge": {"sample": "ollama:m"},
        "anchor": {"file": "a"},
    }
    plan = WatchPlan.model_validate(values)
    engine = site.store.traces.engine
    save_plan(engine, plan.name, plan.model_dump_json())
    first = AnchorResults("k", "local", "pattern_match", (True,) * 20, "").after({}, 0.001, 1e9)
    failed = AnchorResults("k", "local", "pattern_match", (None,) * 20, hostile)
    save_check(engine, plan.name, "anchor", failed.after(first, 0.001, 1.1e9))
    save_check(engine, plan.name, "anchor (sample)", failed.after({}, 0.001, 1.1e9))
    page = client.get(f"{site.url}/watch").text
    assert page.count("? could not be checked") == 2
    assert page.count("none of the 20 anchor cases could be judged") == 2
    assert page.count("agreement with people") == 1
    assert "the figures below are from an earlier check" in page
    assert "<script>window.pwned" not in page
    told = client.get(f"{site.url}/api/watch").json()["judges"]
    assert [(one["judged_by"], one["health"] and one["health"]["agreed"]) for one in told] == [
        ("all", 20),
        ("sample", None),
    ]
    assert [one["unchecked"]["cases"] for one in told] == [20, 20]


def test_question_drift_is_shown_and_escaped(site: Site, hostile: str) -> None:
    plan = WatchPlan.model_validate({"name": "asked", "metrics": PLAN.metrics, "drift": {}})
    save_plan(site.store.traces.engine, plan.name, plan.model_dump_json())
    word = hostile.replace("\ud800", "").replace("\x00", "")
    topic = TopicChange((word, "jobs"), 0.02, 0.3, 0.001)
    coverage = SetCoverage(0.7, 0.6, 0.78, 100, (((word,), 30),))
    found = QuestionDrift("alarm", 0.001, 100, 400, (topic,), coverage, 1e9, 1, 1e9)
    save_check(site.store.traces.engine, plan.name, "drift", asdict(found))
    page = client.get(f"{site.url}/watch").text
    assert "What users ask" in page
    assert "✗ changed" in page
    assert "70\N{NO-BREAK SPACE}%" in page
    assert "<script>window.pwned" not in page
    told = client.get(f"{site.url}/api/watch").json()["drift"]
    assert (told["p_value"], told["topics"][0]["now"], told["coverage"]["share"]) == (0.001, 0.3, 0.7)
    few = QuestionDrift("ok", None, 3, 2, (), None, 1e9, 0, None)
    save_check(site.store.traces.engine, plan.name, "drift", asdict(few))
    assert "too few to say" in client.get(f"{site.url}/watch").text


def test_watch_plan_of_the_empty_page_is_valid(site: Site, tmp_path: Path) -> None:
    shown = client.get(f"{site.url}/watch").text
    plan = tmp_path / "watch.toml"
    plan.write_text(unescape(shown.split('<code class="lines">')[1].split("</code>")[0]), "utf-8")
    found = read_plan(plan)
    assert (found.name, found.judge.all, found.alarm[0].below) == ("production", "local", 0.85)
