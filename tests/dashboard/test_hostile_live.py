"""Hostile texts that come while one looks are text too, and long ones are cut."""

from pathlib import Path

from playwright.sync_api import Page, expect
from tests.dashboard.runs import keep
from tests.dashboard.site import served


def test_hostile_text_in_a_live_update_is_escaped(tmp_path: Path, hostile: str, tab: Page) -> None:
    with served(tmp_path / "runs.sqlite3") as site:
        tab.goto(site.url)
        keep(site.store, [0.0, 1.0], texts=f" {hostile}")
        tab.locator("a.name").click()
        expect(tab.locator("#rows tr")).to_have_count(2)
        assert tab.evaluate("window.pwned") is None


def test_answer_of_a_megabyte_is_truncated_in_the_table(tmp_path: Path, tab: Page) -> None:
    with served(tmp_path / "runs.sqlite3") as site:
        keep(site.store, [0.0], texts="x" * 1_000_000)
        tab.goto(f"{site.url}/runs/last")
        expect(tab.locator("#rows tr")).to_have_count(1)
        assert len(tab.content()) < 4_000_000
