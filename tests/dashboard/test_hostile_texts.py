"""What is evaluated may be an attack on whoever reads it: in every field, on every page, it is shown as text.

The browser itself is asked: no dialog, no request to another host, nothing that the content policy had to stop, no
script that ran, no element that was not ours.
"""

import pytest
from playwright.sync_api import Page, expect
from tests.dashboard.sample_runs import exchange, keep
from tests.dashboard.site import Site
from tests.findings.sample import result

from ragstone.case import TestCase, ToolCall, Turn
from ragstone.result import Result
from ragstone.store import StoredRun, Target

MEGABYTE = 1_000_000
_SPY = """() => {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(event.violatedDirective + " " + event.blockedURI));
}"""
_FOREIGN = (
    "script:not([src]), img[src='x'], svg[onload], iframe, [onerror], [onmouseover], a[href^='javascript:'], "
    "object, embed, main style"
)


def hostile_case(text: str, **fields: object) -> TestCase:
    call = ToolCall(name=text, input_parameters={text: text}, output=text, description=text, reasoning=text)
    given = {
        "input": text,
        "actual_output": text,
        "expected_output": text,
        "retrieval_context": (text, text),
        "context": (text,),
        "tools_called": (call,),
        "expected_tools": (call,),
        "turns": (
            Turn(role="user", content=text),
            Turn(role="assistant", content=text, tools_called=(call,)),
        ),
        "retrieved_ids": (text,),
        "relevant_ids": {text: 1},
        "metadata": {text: text, "deep": {text: [text]}},
        "name": text,
        "tags": (text,),
        "id": text[:200],
    }
    return TestCase(**{**given, **fields})  # type: ignore[arg-type]


def hostile_results(case: TestCase, text: str, *, score: float = 0.2) -> list[Result]:
    verdicts = [
        {"statement": text, "verdict": word, "reason": text, "passage": 1, "span": [0, 9]}
        for word in ("no", "idk", "yes")
    ]
    ranked = [{"statement": text, "verdict": "yes", "reason": text, "passage": number} for number in (1, 2)]
    return [
        result(case, score, reason=text, metadata={"verdicts": verdicts, text: text}),
        result(case, 0.9, metric="ContextualPrecision", reason=text, metadata={"verdicts": ranked}),
        result(case, 1.0 - score, metric="Own", spec=text, reason=text).model_copy(update={"metric": text}),
        result(case, None, metric="Failing", error=f"{text}: {text}"),
    ]


def hostile_run(site: Site, text: str, *, score: float = 0.2) -> StoredRun:
    case = hostile_case(text)
    asked = [exchange(request=text, response=text)]
    stored = keep(
        site.store,
        [case],
        [hostile_results(case, text, score=score)],
        asked,
        name=text,
        judge=text,
        dataset=text,
        tags=(text,),
    )
    for name in (text[:60], f"other {text[:60]}"):
        site.store.annotations.put(stored.number, 0, name, "no", note=text)
        site.store.annotations.put(
            stored.number, 0, name, "no", target=Target("faithfulness", 0), claim=text, note=text
        )
    site.store.baselines.put(text[:150], stored.number)
    return stored


def harmless(tab: Page, where: str) -> None:
    assert tab.evaluate("window.violations") == [], where
    assert tab.evaluate("window.pwned") is None, where
    found = tab.locator(_FOREIGN).evaluate_all("all => all.map(one => one.outerHTML.slice(0, 200))")
    assert found == [], (where, found)


@pytest.fixture
def spied(tab: Page) -> Page:
    tab.add_init_script(f"({_SPY})()")
    return tab


def addresses(site: Site, *, twice: bool = True) -> dict[str, str]:
    """Return every page, by what it shows."""
    runs = site.store.runs()
    one, other = runs[0].run.id, runs[-1].run.id
    both = f"runs={other}&runs={one}"
    return {
        "runs": "/",
        "run": f"/runs/{one}",
        "case": f"/runs/{one}/cases/0?text=%3Cscript%3Ealert(1)%3C/script%3E&sort=worst",
        "why": f"/runs/{one}/why",
        "exchange": f"/runs/{one}/cases/0/exchanges/0",
        "comparison": f"/compare?{both}" if twice else "/compare",
        "comparison of chosen cases": f"/compare?{both}&metric=%3Cscript%3E&against=%3Csvg/onload=alert(1)%3E",
        "side by side": f"/compare/case?before={other}&was=0&after={one}&now=0",
        "choice of runs": "/compare",
        "annotate": f"/annotate?run={one}",
        "annotate claims": f"/annotate?run={one}&of=claims&last=0&index=0",
        "agreement": f"/annotate/{one}/agreement",
        "evaluate": "/evaluate",
        "what is not there": "/runs/%3Cscript%3Ealert(1)%3C/script%3E",
    }


def test_hostile_text_in_every_field_is_escaped_on_every_page(site: Site, spied: Page, hostile: str) -> None:
    hostile_run(site, hostile, score=0.9)
    hostile_run(site, hostile)
    spied.context.add_cookies([{"name": "ragstone_annotator", "value": "%3Cb%3EAnn", "url": site.url}])
    for where, path in addresses(site).items():
        answer = spied.goto(f"{site.url}{path}")
        assert answer is not None
        assert answer.status < 500, where
        spied.wait_for_load_state("networkidle")
        harmless(spied, where)
        if where not in ("evaluate", "what is not there", "exchange"):
            assert "<script>window.pwned=1" in spied.locator("body").inner_text(), where
        assert not set("\x00\x07\x1b\u202e") & set(spied.content()), where
        if where in ("case", "side by side", "annotate"):  # elsewhere names are cut before that
            assert "{{ 7*7 }}" in spied.locator("body").inner_text(), where


def test_hostile_text_in_details_and_form_fields_is_escaped(site: Site, spied: Page, hostile: str) -> None:
    stored = hostile_run(site, hostile, score=0.9)
    other = hostile_run(site, hostile)
    spied.goto(f"{site.url}/runs/{other.run.id}/cases/0")
    spied.locator(".exchange summary").first.click()
    expect(spied.locator(".exchange pre").first).to_contain_text("<script>window.pwned=1")
    spied.get_by_label("your name").fill("<img src=x onerror=alert(1)>")
    spied.get_by_label("note").fill("</textarea><script>alert(1)</script>")
    spied.locator(".said .bad").click()
    expect(spied.locator(".others")).to_contain_text("<script>window.pwned=1")
    spied.locator("a.claim").first.click()
    harmless(spied, "case")
    spied.goto(f"{site.url}/compare?runs={stored.run.id}&runs={other.run.id}")
    spied.locator(".move summary").first.click()
    expect(spied.locator(".sides").first).to_contain_text("<script>window.pwned=1")
    harmless(spied, "comparison")
    spied.goto(f"{site.url}/annotate?run={other.run.id}&index=0")
    assert spied.get_by_label("note").input_value() == "</textarea><script>alert(1)</script>"
    harmless(spied, "annotate")


def test_a_megabyte_in_every_text_leaves_the_pages_usable(site: Site, spied: Page) -> None:
    text = "A sentence of the answer, again and again. " * (MEGABYTE // 43) + "The end."
    for score in (0.9, 0.2):
        case = hostile_case(
            text,
            id="long",
            name=None,
            tags=(),
            turns=None,
            metadata={},
            retrieved_ids=None,
            relevant_ids=None,
        )
        keep(
            site.store,
            [case],
            [hostile_results(case, text, score=score)[:2]],
            [exchange(request=text)],
            name="long",
        )
    spied.context.add_cookies([{"name": "ragstone_annotator", "value": "Ann", "url": site.url}])
    for where in ("case", "comparison", "side by side", "annotate", "annotate claims"):
        spied.goto(f"{site.url}{addresses(site)[where]}")
        assert len(spied.content()) < 250_000, where
        harmless(spied, where)
    spied.goto(f"{site.url}{addresses(site)['case']}")
    cut = spied.locator("#answer .answer")
    assert len(cut.inner_text()) < 10_000
    spied.locator("#answer").get_by_role("link", name="show all").click()
    expect(spied.locator("#answer .rest")).to_have_count(0, timeout=60_000)
    assert len(cut.text_content() or "") == len(text)


def test_invalid_json_reply_is_shown_unchanged(site: Site, spied: Page) -> None:
    case = hostile_case("plain")
    nested = "[" * 50_000
    run = keep(site.store, [case], [hostile_results(case, "plain")], [exchange(response=nested)]).run
    spied.goto(f"{site.url}/runs/{run.id}/cases/0/exchanges/0")
    assert "[[[[" in spied.locator("pre").last.inner_text()
