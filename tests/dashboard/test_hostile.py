"""What is evaluated is hostile. Wherever it stands it is text: nothing runs, nothing is loaded, nothing breaks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.dashboard.runs import keep
from tests.dashboard.site import Site, served

PAGES = ("/", "/runs/last", "/runs/last?text=%3Cscript%3E", "/evaluate", "/?text=%3Cscript%3E&tag=%22onload")


@pytest.fixture
def infested(tmp_path: Path, hostile: str) -> Iterator[Site]:
    """A store whose every text is hostile."""
    with served(tmp_path / "runs.sqlite3") as site:
        for place in range(2):
            stored = keep(site.store, [1.0, 0.0, None], texts=f" {hostile}")
            site.store.baselines.put(f"main {place} {hostile[:100]}", stored.number)
        yield site


@pytest.mark.parametrize("path", PAGES)
def test_hostile_text_is_shown_as_text(infested: Site, tab: Page, path: str) -> None:
    tab.goto(infested.url + path)
    tab.wait_for_timeout(300)
    assert tab.evaluate("window.pwned") is None
    assert tab.locator("main img, main iframe, main script, main a[href^='javascript']").count() == 0
    expect(tab.locator("main h1")).to_be_visible()


def test_control_characters_are_signs_that_can_be_seen(infested: Site, tab: Page) -> None:
    tab.goto(f"{infested.url}/runs/last")
    shown = tab.locator("#rows").inner_text() + tab.locator("h1").inner_text()
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "<script>" in shown


def test_hostile_text_that_comes_live_is_text_too(tmp_path: Path, hostile: str, tab: Page) -> None:
    with served(tmp_path / "runs.sqlite3") as site:
        tab.goto(site.url)
        keep(site.store, [0.0, 1.0], texts=f" {hostile}")
        tab.locator("a.name").click()
        expect(tab.locator("#rows tr")).to_have_count(2)
        assert tab.evaluate("window.pwned") is None


def test_an_answer_of_a_megabyte_does_not_make_the_table_heavy(tmp_path: Path, tab: Page) -> None:
    with served(tmp_path / "runs.sqlite3") as site:
        keep(site.store, [0.0], texts="x" * 1_000_000)
        tab.goto(f"{site.url}/runs/last")
        expect(tab.locator("#rows tr")).to_have_count(1)
        assert len(tab.content()) < 4_000_000
