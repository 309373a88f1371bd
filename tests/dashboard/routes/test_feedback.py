"""Feedback by the API, and where the pages show it, in a real browser."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.conftest import Accessible
from tests.dashboard.routes.test_watch import receive
from tests.dashboard.site import Site, press, served

from ragstone.dashboard.security.credentials import Credentials
from ragstone.traces.redaction import Redaction

FIRST = f"{1:032x}"


def post(site: Site, **said: Any) -> httpx.Response:
    return client.post(f"{site.url}/api/feedback", json=said)


def test_feedback_is_created_replaced_listed_and_deleted(site: Site) -> None:
    first = post(site, trace_id="ABCDEF" + "0" * 26, thumb="up", id="thumb-7")
    assert (first.status_code, first.json()) == (201, {"id": "thumb-7", "replaced": False})
    again = post(site, trace_id="abcdef" + "0" * 26, thumb="down", comment="No.", id="thumb-7")
    assert (again.status_code, again.json()["replaced"]) == (200, True)
    listed = client.get(f"{site.url}/api/feedback", params={"trace_id": "abcdef" + "0" * 26}).json()
    assert [(one["thumb"], one["comment"], one["source"]) for one in listed] == [("down", "No.", "api")]
    for said in ({"span_id": f"{1:016x}", "score": 0.5}, {"session_id": "s", "correction": "Three days."}):
        assert post(site, **said).status_code == 201
    assert len(client.get(f"{site.url}/api/feedback", params={"span_id": f"{1:016x}"}).json()) == 1
    assert client.get(f"{site.url}/api/feedback", params={"session_id": "s"}).json()[0]["of_session"]
    assert client.delete(f"{site.url}/api/feedback/thumb-7").status_code == 204
    assert client.delete(f"{site.url}/api/feedback/thumb-7").status_code == 404


@pytest.mark.parametrize(
    "said",
    [
        {"thumb": "up"},
        {"trace_id": FIRST},
        {"trace_id": FIRST, "session_id": "s", "thumb": "up"},
        {"trace_id": FIRST, "score": 1.5},
        {"trace_id": FIRST, "thumb": "sideways"},
        {"trace_id": FIRST, "thumb": "up", "user": "ada"},
        {"trace_id": FIRST, "comment": "x" * 4_001},
        {"trace_id": FIRST, "correction": "x" * 20_001},
        {"trace_id": "x" * 65, "thumb": "up"},
        {"trace_id": FIRST, "thumb": "up", "id": "x" * 201},
    ],
)
def test_invalid_or_too_long_feedback_is_refused(site: Site, said: dict[str, Any]) -> None:
    assert post(site, **said).status_code == 422
    assert client.get(f"{site.url}/api/feedback", params={"trace_id": FIRST}).json() == []


def test_feedback_requires_token_and_same_origin_and_is_redacted(tmp_path: Path) -> None:
    said = {"trace_id": FIRST, "comment": "Write to ada@example.org", "correction": "bob@example.org knows."}
    secret = {"Authorization": "Bearer secret"}
    with served(
        tmp_path / "runs.sqlite3", credentials=Credentials("secret"), redaction=Redaction(("email",))
    ) as site:
        address = f"{site.url}/api/feedback"
        assert post(site, **said).status_code == 401
        foreign = {**secret, "Origin": "http://elsewhere.example"}
        assert client.post(address, json=said, headers=foreign).status_code == 403
        assert client.post(address, json=said, headers=secret).status_code == 201
        large = client.post(address, content=b"{" + b" " * 9_000_000, headers=secret)
        assert large.status_code == 413
        (kept,) = client.get(address, params={"trace_id": FIRST}, headers=secret).json()
    assert (kept["comment"], kept["correction"]) == ("Write to [email]", "[email] knows.")


def test_feedback_is_shown_on_its_trace_and_on_watch(
    site: Site, tab: Page, hostile: str, accessible: Accessible
) -> None:
    comment = hostile.replace("\ud800", "").replace("\x00", "")
    assert (
        post(site, trace_id=FIRST, thumb="down", comment=comment, correction="Two years.").status_code == 201
    )
    receive(site, range(1, 13))  # the trace comes after what was said of it
    tab.goto(f"{site.url}/watch/traces/{FIRST}")
    feedback = tab.get_by_role("region", name="feedback")
    expect(feedback).to_contain_text("✗ thumbs down")
    expect(feedback).to_contain_text("window.pwned=1")
    expect(feedback).to_contain_text("Two years.")
    accessible(tab)
    tab.goto(f"{site.url}/watch")
    card = tab.get_by_role("region", name="Feedback").locator(".card")
    expect(card).to_contain_text("too few to say")
    expect(card).to_contain_text("n 1 · 0 up · 1 down")
    for number in range(2, 12):
        post(site, trace_id=f"{number:032x}", thumb="up")
    expect(card).to_contain_text("n 11 · 10 up · 1 down")  # the page takes it by itself
    row = (
        tab.get_by_role("region", name="People and the judge of all traces")
        .get_by_role("row")
        .filter(has_text="Pattern Match")
    )
    expect(row).to_contain_text("Pattern Match")
    expect(row.get_by_role("cell").nth(1)).to_have_text("10")
    accessible(tab)
    press(tab, "j")
    (told,) = client.get(f"{site.url}/api/watch").json()["feedback"]
    assert (told["n"], told["up"], told["down"]) == (11, 10, 1)
    assert told["interval"]["low"] < told["mean"] < told["interval"]["high"]
