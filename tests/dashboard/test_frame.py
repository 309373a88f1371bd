"""The frame of every page: it is reachable by keyboard and by readers, and asks nobody else for anything."""

from playwright.sync_api import Page
from tests.dashboard.conftest import Accessible
from tests.dashboard.site import Site


def test_an_empty_store_shows_the_command_that_fills_it(site: Site, tab: Page) -> None:
    tab.goto(site.url)
    assert tab.get_by_role("heading", level=1).inner_text() == "Runs"
    assert "ragstone run demo --store" in tab.locator(".command code").inner_text()


def test_axe_finds_nothing_serious_on_an_empty_page(site: Site, tab: Page, accessible: Accessible) -> None:
    tab.goto(site.url)
    accessible(tab)
