from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from shutil import copytree
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.cli.test_draft import drafted
from tests.dashboard import client
from tests.dashboard.conftest import Accessible, accessible_everywhere, watched
from tests.dashboard.site import Site, press, wait_until

from ragstone.config import Settings
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.server import server_on
from ragstone.drafts.figures import read_figures
from ragstone.drafts.review import DraftReview
from ragstone.findings.fingerprint import hash_test_set
from ragstone.store import open_store


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a drafted set and the report on it."""
    folder = tmp_path_factory.mktemp("draft")
    drafted(folder, "--report", folder / "coverage.html")
    return folder


@pytest.fixture
def reviewed(tmp_path: Path, draft: Path) -> Iterator[tuple[Path, str]]:
    """A drafted set of the test's own, and where its pages are served."""
    path = copytree(draft, tmp_path / "reviewed") / "draft.jsonl"
    ctx = AppContext(open_store(tmp_path / "runs.sqlite3"), Settings(), draft=path)
    server = server_on(ctx, Credentials(), host="127.0.0.1", port=0)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield path, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(30)
    ctx.store.close()


def test_a_set_is_reviewed_by_keyboard_alone(
    reviewed: tuple[Path, str], tab: Page, accessible: Accessible
) -> None:
    path, url = reviewed
    names = list(DraftReview(path).cases)
    tab.goto(f"{url}/review")
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


@pytest.mark.timeout(400)  # on a busy machine
def test_axe_finds_nothing_serious_in_the_coverage_and_it_fits_a_phone(
    reviewed: tuple[Path, str], chromium: Browser, accessible: Accessible
) -> None:
    path, url = reviewed
    context = chromium.new_context()
    with watched(context) as page:
        page.goto(f"{url}/review/coverage")
        for shown in (page, context.new_page()):
            if shown is not page:
                shown.goto(f"file://{path.with_name('coverage.html')}")  # the same as a file
            expect(shown.get_by_role("row", name="shop.md")).to_contain_text(" of 2")
            accessible_everywhere(shown, accessible)
    context.close()


def test_the_review_leads_to_the_coverage_and_back(reviewed: tuple[Path, str], tab: Page) -> None:
    path, url = reviewed
    tab.context.add_cookies([{"name": "ragstone_annotator", "value": "Ann", "url": url}])
    tab.goto(f"{url}/review")
    press(tab, "c")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Coverage")
    expect(tab.get_by_text("2 of 2 documents")).to_be_visible()
    kinds = tab.get_by_role("region", name="Kinds")
    expect(kinds.get_by_role("row", name="single")).to_be_visible()
    press(tab, "Escape")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Review")
    path.write_text(path.read_text().split("\n", 1)[1])
    tab.goto(f"{url}/review/coverage")
    expect(tab.get_by_text("belong to another draft")).to_be_visible()
    path.with_suffix(".figures.json").unlink()
    tab.reload()
    expect(tab.get_by_text("ragstone draft DOCS --no-llm --output draft.jsonl")).to_be_visible()


def test_skipped_question_does_not_return_with_the_next_one(reviewed: tuple[Path, str], tab: Page) -> None:
    path, url = reviewed
    first, second, third = list(DraftReview(path).cases.values())[:3]
    tab.context.add_cookies([{"name": "ragstone_annotator", "value": "Ann", "url": url}])
    tab.goto(f"{url}/review")
    expect(tab.locator("#question-shown")).to_have_text(first.input)
    press(tab, "s")
    expect(tab.locator("#question-shown")).to_have_text(second.input)
    press(tab, "y")
    expect(tab.locator("#question-shown")).to_have_text(third.input)
    press(tab, "u")
    expect(tab.locator("#question-shown")).to_have_text(second.input)
    assert DraftReview(path).summary().reviewed == 0


def test_review_api_equals_the_draft_review(reviewed: tuple[Path, str]) -> None:
    path, url = reviewed
    review = DraftReview(path)
    first, second = list(review.cases)[:2]
    told = client.get(f"{url}/api/review").json()
    assert told["summary"] == {"total": len(review.cases), "reviewed": 0, "bad": 0, "interval": None}
    review.decide(first, "keep", "Ann")
    review.decide(second, "drop", "Ann")
    told = client.get(f"{url}/api/review").json()
    summary = told["summary"]
    assert (told["name"], summary["reviewed"], summary["bad"]) == ("draft.jsonl", 2, 1)
    interval = review.summary().interval
    assert interval is not None
    assert (summary["interval"]["low"], summary["interval"]["high"]) == (interval.low, interval.high)
    covered = client.get(f"{url}/api/review/coverage").json()
    figures = read_figures(path)
    assert figures is not None
    assert covered["test_set"] == told["test_set"] == hash_test_set(review.cases.values())
    told_figures = covered["figures"]
    assert (told_figures["written_by"], covered["outdated"]) == ("rules", False)
    documents = told_figures["coverage"]["documents"]
    assert [line["name"] for line in documents] == ["lamps.md", "shop.md"]
    assert documents == [asdict(line) for line in figures.coverage.documents]
    assert told_figures["yields"]["kept"] == dict(figures.yields.kept)
    assert sum(told_figures["yields"]["kept"].values()) == len(review.cases)
    path.write_text(path.read_text().split("\n", 1)[1])
    assert client.get(f"{url}/api/review/coverage").json()["outdated"] is True
    path.with_suffix(".figures.json").write_text("[]")
    assert client.get(f"{url}/api/review/coverage").status_code == 400
    path.with_suffix(".figures.json").unlink()
    answer = client.get(f"{url}/api/review/coverage")
    assert (answer.status_code, "draft.figures.json" in answer.json()["detail"]) == (404, True)


def test_review_api_without_an_open_draft_returns_404(site: Site) -> None:
    for path in ("/api/review", "/api/review/coverage"):
        answer = client.get(site.url + path)
        assert (answer.status_code, "--review" in answer.json()["detail"]) == (404, True)
