"""The keyboard is enough, also where there is nothing to show."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.dashboard.conftest import Accessible, watched
from tests.dashboard.runs import keep
from tests.dashboard.site import Site, press, served

PAGES = ("/runs/last", "/runs/last?text=nothing+is+like+this", "/no/such/page", "/?text=none")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A store with three runs, of which one is a baseline."""
    with served(tmp_path_factory.mktemp("store") / "runs.sqlite3") as site:
        runs = [keep(site.store, name=f"retriever v{place}") for place in range(3)]
        keep(site.store, [None, 0.2, 0.9], name="short")
        site.store.baselines.put("main", runs[0].number)
        yield site


@pytest.mark.parametrize("path", PAGES)
def test_empty_pages_pass_axe_and_fit_a_phone(
    filled: Site, chromium: Browser, accessible: Accessible, path: str
) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    with watched(context) as page:
        page.goto(filled.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        accessible(page)
    context.close()


def test_the_keyboard_walks_the_table_and_opens_a_case(filled: Site, tab: Page) -> None:
    tab.goto(f"{filled.url}/runs/last")
    for key in ("j", "j", "k"):
        press(tab, key)
    expect(tab.locator("tr:focus")).to_have_attribute(
        "id", tab.locator("#rows tr").first.get_attribute("id") or ""
    )
    press(tab, "/")
    expect(tab.locator("#text")).to_be_focused()
    press(tab, "Escape")
    expect(tab.locator("#text")).not_to_be_focused()
    press(tab, "j")
    press(tab, "Enter")
    tab.wait_for_url("**/cases/*")


def test_runs_are_chosen_and_compared_by_keyboard(filled: Site, tab: Page) -> None:
    tab.goto(filled.url)
    for key in ("j", " ", "j", " ", "c"):
        press(tab, key)
    tab.wait_for_url("**/compare?runs=*&runs=*")


@pytest.mark.timeout(300)
def test_the_keyboard_alone_evaluates_reads_annotates_compares_and_takes_away(site: Site, tab: Page) -> None:
    for name in ("first", "second"):
        tab.goto(f"{site.url}/evaluate")
        tab.get_by_label("The demo").press("Space")
        tab.get_by_label("only these").press("Space")
        tab.get_by_role("checkbox", name="answer_relevancy").press("Space")
        tab.locator("#name").focus()
        tab.keyboard.type(name)
        press(tab, "Escape", "s")
        tab.wait_for_url("**/runs/*")
        expect(tab.locator(".state.complete")).to_be_visible()
    tab.goto(f"{site.url}/runs/second")
    press(tab, "j", "Enter")
    tab.wait_for_url("**/cases/*")
    expect(tab.locator(".strip")).to_contain_text("Answer Relevancy")
    press(tab, "Escape")
    tab.get_by_role("link", name="Annotate").last.press("Enter")
    tab.get_by_label("name").first.focus()
    tab.keyboard.type("ada")
    tab.keyboard.press("Enter")
    for number in range(10):
        expect(tab.locator(".progress-label")).to_contain_text(f"{number} of ")
        press(tab, "y" if number % 2 else "n")
    expect(tab.locator(".progress-label")).to_contain_text("10 of ")
    tab.goto(f"{site.url}/runs/second")
    press(tab, "c")
    expect(tab.locator("h1")).to_have_text("first → second")
    with tab.expect_download() as begun:
        tab.get_by_role("link", name="HTML", exact=True).press("Enter")
    assert begun.value.suggested_filename == "first-to-second.html"
