"""axe finds nothing serious on any page, light and dark, on a desk and on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.dashboard.conftest import SCHEMES, WIDTHS, Accessible, watched
from tests.dashboard.sample_runs import two_versions
from tests.dashboard.site import Site

from ragstone.store.read.audit_log import Actor, AuditEntry


@pytest.fixture(params=WIDTHS)
def look(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": request.param, "height": 800})
    with watched(context) as page:
        yield page
    context.close()


def test_axe_finds_nothing_serious(site: Site, look: Page, accessible: Accessible) -> None:
    old, new = two_versions(site.store, 12)
    site.store.annotations.put(new.number, 1, "Ben", "no", note="Too many days.")
    ann = Actor("person", "Ann", "owner", "127.0.0.1")
    site.store.tokens.make("ci", "reader", AuditEntry(ann, "make_token", "ci"), days=30)
    look.context.add_cookies([{"name": "ragstone_annotator", "value": "Ann", "url": site.url}])
    both = f"runs={old.run.id}&runs={new.run.id}"
    for path in (
        "/",
        f"/runs/{new.run.id}",
        f"/runs/{new.run.id}/cases/0#c3",
        f"/runs/{new.run.id}/why",
        f"/runs/{new.run.id}/why/checks",
        f"/runs/{new.run.id}/groups",
        f"/compare?{both}",
        f"/compare/case?before={old.run.id}&was=0&after={new.run.id}&now=0",
        "/compare",
        "/annotate",
        f"/annotate?run={new.run.id}&last=1&index=1",
        f"/annotate?run={new.run.id}&of=claims",
        "/evaluate",
        "/audit",
        "/tokens",
    ):
        answer = look.goto(f"{site.url}{path}")
        assert answer is not None
        look.wait_for_load_state("networkidle")
        if answer.status != 404:  # a page that another part of the program brings
            accessible(look, *SCHEMES)
            wide = look.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert wide <= 0, f"{path} is {wide} px wider than the screen"


def test_opened_details_pass_axe(site: Site, look: Page, accessible: Accessible) -> None:
    old, new = two_versions(site.store, 12)
    look.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    look.locator(".move summary").first.click()
    expect(look.locator(".sides").first).to_be_visible()
    for fold in look.locator("details.again > summary").all():
        fold.click()
    accessible(look, *SCHEMES)
    look.goto(f"{site.url}/runs/{new.run.id}/cases/0")
    for fold in look.locator("main details > summary").all():
        fold.click()
    look.wait_for_load_state("networkidle")
    accessible(look, *SCHEMES)
