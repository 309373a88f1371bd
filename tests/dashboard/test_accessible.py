"""axe finds nothing serious on any page, light and dark, on a desk and on a phone."""

from playwright.sync_api import Page, expect
from tests.dashboard.conftest import Accessible, accessible_everywhere
from tests.dashboard.sample_runs import two_versions
from tests.dashboard.site import Site

from ragstone.store.read.audit_log import Actor, AuditEntry


def test_axe_finds_nothing_serious(site: Site, tab: Page, accessible: Accessible) -> None:
    old, new = two_versions(site.store, 12)
    site.store.annotations.put(new.number, 1, "Ben", "no", note="Too many days.")
    ann = Actor("person", "Ann", "owner", "127.0.0.1")
    site.store.tokens.make("ci", "reader", AuditEntry(ann, "make_token", "ci"), days=30)
    tab.context.add_cookies([{"name": "ragstone_annotator", "value": "Ann", "url": site.url}])
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
        answer = tab.goto(f"{site.url}{path}")
        assert answer is not None
        tab.wait_for_load_state("networkidle")
        if answer.status != 404:  # a page that another part of the program brings
            accessible_everywhere(tab, accessible)


def test_opened_details_pass_axe(site: Site, tab: Page, accessible: Accessible) -> None:
    old, new = two_versions(site.store, 12)
    tab.goto(f"{site.url}/compare?runs={old.run.id}&runs={new.run.id}")
    tab.locator(".move summary").first.click()
    expect(tab.locator(".sides").first).to_be_visible()
    for fold in tab.locator("details.again > summary").all():
        fold.click()
    accessible_everywhere(tab, accessible)
    tab.goto(f"{site.url}/runs/{new.run.id}/cases/0")
    for fold in tab.locator("main details > summary").all():
        fold.click()
    tab.wait_for_load_state("networkidle")
    accessible_everywhere(tab, accessible)
