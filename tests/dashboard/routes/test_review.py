from collections.abc import Callable
from pathlib import Path
from threading import Thread

from playwright.sync_api import Page, expect
from tests.cli.test_draft import drafted
from tests.dashboard.site import press, wait_until

from ragstone.config import Settings
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.server import server_on
from ragstone.drafts.review import DraftReview
from ragstone.store import open_store


def test_a_set_is_reviewed_by_keyboard_alone(
    tmp_path: Path, tab: Page, accessible: Callable[[Page], None]
) -> None:
    path = drafted(tmp_path)
    ctx = AppContext(open_store(tmp_path / "runs.sqlite3"), Settings(), draft=path)
    server = server_on(ctx, Credentials(), host="127.0.0.1", port=0)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    names = list(DraftReview(path).cases)
    tab.goto(f"http://127.0.0.1:{port}/review")
    tab.keyboard.type("Ann")
    tab.keyboard.press("Enter")
    expect(tab.locator("#review-summary")).to_contain_text("0 of")
    accessible(tab)
    press(tab, "y")
    expect(tab.locator("#review-summary")).to_contain_text("1 of")
    press(tab, "d")
    expect(tab.locator("#review-summary")).to_contain_text("50% bad")
    press(tab, "e")
    expect(tab.locator("#question")).to_be_focused()
    press(tab, "Control+a")
    tab.keyboard.type("What is it?")
    press(tab, "Escape", "w")
    expect(tab.locator("#review-summary")).to_contain_text("3 of")
    press(tab, "u")
    expect(tab.locator("#review-summary")).to_contain_text("2 of")
    review = DraftReview(path)
    assert [getattr(review.decision(name), "state", "") for name in names[:3]] == ["keep", "drop", ""]
    server.should_exit = True
    thread.join(30)
    ctx.store.close()
