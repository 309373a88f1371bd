"""People whom a proxy names: the header counts from the proxy alone, and each role may do what the table says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from benchmarks.attack.routes import every_route
from starlette.datastructures import Headers
from tests.dashboard import client
from tests.dashboard.client import TIMEOUT
from tests.dashboard.runs import keep
from tests.dashboard.site import served

from ragstone.dashboard.security.credentials import credentials_for
from ragstone.dashboard.security.people import PeopleFile
from ragstone.dashboard.security.permissions import PERMISSIONS, ROLES, SAFE_METHODS, action_of, may
from ragstone.dashboard.security.trusted_header import TrustedHeader, check_header, read_proxies
from ragstone.errors import BadOption
from ragstone.store import Store
from ragstone.store.read.audit_log import Role

TOKEN = "a-token-of-this-test"
HEADER = "X-Forwarded-User"
PEOPLE = '[people]\nada = "owner"\nben = "annotator"\ncleo = "reader"\n'
ROLE_TABLE = Path(__file__).parents[3] / "docs" / "how-to" / "people-and-roles.md"


class ProxiedSite(NamedTuple):
    """The pages behind a proxy at 127.0.0.1, its file of people, and a run."""

    url: str
    store: Store
    file: Path
    run: str

    def ask(self, method: str, path: str, person: str = "", **options: Any) -> httpx.Response:
        """Send a request as the proxy does for a person."""
        headers = {HEADER: person} if person else {}
        return client.request(method, self.url + path, headers=headers, **options)


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[ProxiedSite]:
    file = tmp_path / "people.toml"
    file.write_text(PEOPLE)
    trusted = TrustedHeader(HEADER, read_proxies(["127.0.0.1"]), PeopleFile(file))
    credentials = credentials_for("127.0.0.1", TOKEN, trusted)
    with served(tmp_path / "runs.sqlite3", credentials=credentials) as site:
        yield ProxiedSite(site.url, site.store, file, keep(site.store).run.id)


def test_header_from_another_address_is_refused_on_every_path(
    proxied: ProxiedSite, caplog: pytest.LogCaptureFixture
) -> None:
    with httpx.Client(
        base_url=proxied.url, timeout=TIMEOUT, transport=httpx.HTTPTransport(local_address="127.0.0.2")
    ) as other:
        for path in ("/", "/login", "/api/runs", "/static/1/ragstone.css", "/no/such/place"):
            for more in ({}, {"Authorization": f"Bearer {TOKEN}"}, {"X-Forwarded-For": "127.0.0.1"}):
                answer = other.get(path, headers={HEADER: "ada", **more})
                assert answer.status_code == 403
                assert "not from 127.0.0.2" in answer.json()["detail"]
        assert other.get("/api/runs").status_code == 401
        assert other.get("/api/runs", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert "refused GET /api/runs from 127.0.0.2: The header X-Forwarded-User is accepted only" in caplog.text


def test_header_from_the_proxy_must_be_one_name_of_a_known_person(proxied: ProxiedSite) -> None:
    assert proxied.ask("GET", "/", "ada").status_code == 200
    assert proxied.ask("GET", "/").status_code == 401  # the token rule
    unknown = proxied.ask("GET", "/api/runs", "zoe")
    assert (unknown.status_code, "as 'zoe', who has no role" in unknown.text) == (403, True)
    name = HEADER.encode()
    for values in ([(name, b"ada"), (name, b"cleo")], [(name, b"\xff")], [(name, b"a" * 81)]):
        assert client.get(proxied.url, headers=values).status_code == 400
    rebound = client.get(proxied.url, headers={HEADER: "ada", "Host": "evil.example"})
    assert rebound.status_code == 421
    proxied.file.write_text(f'hosts = ["evals.example"]\n{PEOPLE}"jürg" = "reader"\n', encoding="utf-8")
    named = {HEADER: "jürg".encode(), "Host": "evals.example"}
    assert client.get(proxied.url, headers=named).status_code == 200
    page = client.get(proxied.url, headers={**named, "Accept": "text/html"}).text
    assert "jürg" in page


def test_file_of_people_is_read_again_and_a_broken_one_lets_nobody_in(
    proxied: ProxiedSite, caplog: pytest.LogCaptureFixture
) -> None:
    assert proxied.ask("GET", "/audit", "cleo").status_code == 403
    proxied.file.write_text('[people]\ncleo = "owner"\n"*" = "reader"\n')
    assert proxied.ask("GET", "/audit", "cleo").status_code == 200
    assert proxied.ask("GET", "/", "zoe").status_code == 200
    assert proxied.ask("GET", "/audit", "ada").status_code == 403
    proxied.file.write_text('[people]\ncleo = "admin"\n')
    broken = proxied.ask("GET", "/", "cleo")
    assert (broken.status_code, str(proxied.file) in broken.text) == (503, False)
    assert "people.cleo: Input should be 'reader'" in caplog.text
    assert client.get(proxied.url, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    proxied.file.unlink()
    assert proxied.ask("GET", "/", "cleo").status_code == 503


@pytest.mark.parametrize("person", ["cleo", "ben", "ada"])
def test_pages_show_only_what_the_role_may_do(proxied: ProxiedSite, person: str) -> None:
    role: Role = {"cleo": "reader", "ben": "annotator", "ada": "owner"}[person]  # type: ignore[assignment]
    run, offered = proxied.run, set[str]()
    with httpx.Client(base_url=proxied.url, timeout=TIMEOUT, headers={HEADER: person}) as visitor:
        for path in (
            "/",
            f"/runs/{run}",
            f"/runs/{run}/cases/0",
            f"/runs/{run}/why",
            f"/compare?runs={run}",
            "/watch",
        ):
            answer = visitor.get(path)
            assert answer.status_code == 200, answer.text
            posts = re.findall(r'method="post" action="([^"]+)"', answer.text)
            posts += re.findall(r'(?:hx-post|formaction)="([^"]+)"', answer.text)
            offered |= {f"POST {post}" for post in posts}
            offered |= {f"GET {link}" for link in re.findall(r'href="(/[^"?#]*)', answer.text)}
        actions = {action_of(*request.split(" ", 1)) for request in offered}
        assert [action for action in actions if not may(role, action)] == []
        assert {"read"} < actions or person == "cleo"
        for action, permission in PERMISSIONS.items():
            for route in () if may(role, action) else permission.routes:
                method, path = route.split(" ")
                asked = re.sub(r"\{run\}", run, path)
                answer = visitor.request(method, re.sub(r"\{\w+\}", "1", asked))
                assert (answer.status_code, "which may not" in answer.text) == (403, True), route
    assert proxied.store.find(run).run.id == run
    assert proxied.store.audit_log.page().count == 0


def test_person_annotates_under_their_own_name_alone(proxied: ProxiedSite) -> None:
    verdict = {"index": 2, "annotator": "ada", "verdict": "no"}
    path = f"/api/runs/{proxied.run}/annotations"
    refused = proxied.ask("PUT", path, "ben", json=verdict)
    assert (refused.status_code, "logged in as 'ben'" in refused.text) == (403, True)
    assert proxied.ask("PUT", path, "ben", json={**verdict, "annotator": "ben"}).status_code == 200
    form = {"verdict": "yes", "note": "fine"}
    assert proxied.ask("POST", f"/runs/{proxied.run}/cases/3/verdict", "ben", data=form).status_code == 303
    found = proxied.store.annotations.of(proxied.store.find(proxied.run).number)
    assert [(item.case_index, item.annotator, item.verdict) for item in found] == [
        (2, "ben", "no"),
        (3, "ben", "yes"),
    ]
    lines = proxied.store.audit_log.page().lines
    assert [(line.actor.name, line.action, line.subject, line.detail) for line in lines] == [
        ("ben", "annotate", proxied.run, "case 4: yes"),
        ("ben", "annotate", proxied.run, "case 3: no"),
    ]
    begun = proxied.ask("POST", "/annotate", "ben", data={"person": "ben", "run": proxied.run})
    assert (begun.status_code, proxied.store.audit_log.page().count) == (303, 2)


def test_deleted_run_stands_in_the_audit_log_that_owners_see(
    proxied: ProxiedSite, caplog: pytest.LogCaptureFixture
) -> None:
    assert proxied.ask("DELETE", f"/api/runs/{proxied.run}", "ben").status_code == 403
    assert "ben has the role annotator, which may not delete runs" in caplog.text
    labels = {"name": "nightly", "tags": "a b"}
    assert proxied.ask("POST", f"/runs/{proxied.run}/labels", "ada", data=labels).status_code == 303
    assert proxied.ask("POST", "/runs/delete", "ada", data={"runs": proxied.run}).status_code == 303
    found = proxied.ask("GET", "/api/audit?action=delete", "ada").json()
    assert found["count"] == 1
    line = found["lines"][0]
    assert (line["kind"], line["name"], line["role"], line["address"]) == (
        "person",
        "ada",
        "owner",
        "127.0.0.1",
    )
    assert (line["subject"], line["detail"]) == (proxied.run, "nightly")
    page = proxied.ask("GET", "/audit", "ada").text
    assert proxied.run in page
    assert "nightly · a b" in page


def test_every_route_that_changes_something_stands_in_the_table() -> None:
    found = every_route() | {("POST", "/v1/traces"), ("POST", "/v1/logs"), ("GET", "/status")}
    changing = {route for route in found if route[0] not in SAFE_METHODS} - {("POST", "/login")}
    assert {route for route in changing if action_of(*route) == "change"} == set()
    listed = {tuple(route.split()) for each in PERMISSIONS.values() for route in each.routes}
    assert listed - found == set()
    assert (action_of("PATCH", "/new"), action_of("HEAD", "/audit")) == ("change", "see_access")


def test_documentation_shows_the_table_of_roles() -> None:
    rows = [
        f"| {each.meaning} | {' | '.join('yes' if role in each.roles else '' for role in ROLES)} |"
        for each in PERMISSIONS.values()
    ]
    table = "\n".join(re.sub(r" +\|", " |", row) for row in rows)
    assert table in re.sub(r" +\|", " |", ROLE_TABLE.read_text(encoding="utf-8"))


def test_only_named_proxies_can_be_trusted(tmp_path: Path) -> None:
    for proxy in ("0.0.0.0/0", "::/0", "0.0.0.0/1", "10.0.0.1/8", "proxy.example", ""):
        with pytest.raises(BadOption):
            read_proxies([proxy])
    for header in ("Cookie", "Authorization", "X Forwarded", ""):
        with pytest.raises(BadOption):
            check_header(header)
    file = tmp_path / "people.toml"
    for text in ("", "people = 1", '[people]\nada = "root"', '[people]\nada = "owner"\n[teams]\n', "\xff"):
        file.write_text(text, encoding="latin-1")
        with pytest.raises(BadOption, match="is not a file of people"):
            PeopleFile(file)
    trusted = TrustedHeader(HEADER, read_proxies(["10.1.0.0/16, ::1"]), _people(file))
    assert credentials_for("127.0.0.1", None, trusted).token
    found = trusted.person("::ffff:10.1.2.3", Headers({HEADER: "ada", "Host": "127.0.0.1"}))
    assert found is not None
    assert (found.name, found.role) == ("ada", "owner")


def _people(file: Path) -> PeopleFile:
    file.write_text(PEOPLE)
    return PeopleFile(file)
