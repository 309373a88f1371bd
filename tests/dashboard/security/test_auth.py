"""Nobody who should not gets in, and a browser does nothing with an answer that it should not."""

import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from benchmarks.attack.routes import every_route
from tests.dashboard import client
from tests.dashboard.client import TIMEOUT
from tests.dashboard.site import Site, served
from tests.testing.for_each import for_each

from ragstone.dashboard.security.credentials import Credentials, credentials_for

TOKEN = "a-token-of-this-test"
OPEN = {"/login", "/healthz", "/readyz"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The pages as on an address that others can reach."""
    with served(tmp_path_factory.mktemp("store") / "runs.sqlite3", credentials=Credentials(TOKEN)) as found:
        yield found


def test_routes_without_token_return_401_except_login(guarded: Site) -> None:
    for method, path in sorted(every_route()):
        answer = client.request(method, guarded.url + re.sub(r"\{[^}]+\}", "1", path))
        assert answer.status_code == 401 or path in OPEN, (method, path)


@pytest.mark.parametrize("path", ["/", "/api/openapi.json", "/static/1/ragstone.css", "/no/such/place"])
@for_each("headers", [{}, {"Authorization": "Bearer wrong"}, {"Cookie": f"ragstone_session={TOKEN}"}])
def test_wrong_token_returns_401(guarded: Site, path: str, headers: dict[str, str]) -> None:
    assert client.get(guarded.url + path, headers=headers).status_code == 401


def test_bearer_token_grants_access(guarded: Site) -> None:
    assert client.get(guarded.url, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_login_sets_an_http_only_strict_cookie_without_the_token(
    guarded: Site,
) -> None:
    with httpx.Client(base_url=guarded.url, timeout=TIMEOUT) as visitor:
        assert visitor.post("/login", data={"token": "wrong"}).status_code == 401
        answer = visitor.post("/login", data={"token": TOKEN})
        cookie = answer.headers["set-cookie"]
        assert (answer.status_code, TOKEN in cookie) == (303, False)
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert visitor.get("/").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8600", "127.0.0.1.evil.example", "", "[::1"])
def test_foreign_host_header_is_refused_on_loopback(site: Site, host: str) -> None:
    assert client.get(site.url, headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ],
)
def test_another_page_cannot_start_a_run(site: Site, headers: dict[str, str]) -> None:
    answer = client.post(f"{site.url}/api/runs", headers=headers, json={"dataset": "demo"})
    assert answer.status_code == 403


def test_every_response_has_a_content_security_policy_without_unsafe(site: Site) -> None:
    for path in ("/", "/login", "/evaluate", "/api/openapi.json", "/no/such/page"):
        policy = client.get(site.url + path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_a_body_that_is_too_large_is_refused_before_it_is_read(site: Site) -> None:
    asking = HTTPConnection(site.url.removeprefix("http://"))
    asking.putrequest("POST", "/api/runs")
    asking.putheader("Content-Length", "300000000")
    asking.endheaders()
    assert asking.getresponse().status == 413
    asking.close()


def test_a_body_of_unknown_length_is_read_up_to_the_limit(site: Site) -> None:
    answer = client.post(f"{site.url}/api/runs", content=(b" " * 1_000_000 for _ in range(20)))
    assert answer.status_code == 413


@for_each(
    "host, free",
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("192.168.1.2", False)],  # noqa: S104
)
def test_only_loopback_needs_no_token(host: str, free: bool) -> None:  # noqa: FBT001
    assert (credentials_for(host).token is None) == free


def test_two_servers_have_two_tokens() -> None:
    assert credentials_for("0.0.0.0").token != credentials_for("0.0.0.0").token  # noqa: S104


def test_token_on_loopback_is_required_and_login_code_works_once(tmp_path: Path) -> None:
    credentials = credentials_for("127.0.0.1", "")
    assert credentials.token
    code = credentials.login_code.unused
    with served(tmp_path / "runs.sqlite3", credentials=credentials) as site:
        assert client.get(site.url).status_code == 401
        with (
            httpx.Client(base_url=site.url, timeout=TIMEOUT) as first,
            httpx.Client(base_url=site.url, timeout=TIMEOUT) as second,
        ):
            assert first.get("/login", params={"code": "wrong"}).status_code == 200
            assert first.get("/").status_code == 401
            assert first.get("/login", params={"code": code}).status_code == 303
            assert first.get("/").status_code == 200
            assert second.get("/login", params={"code": code}).status_code == 200
            assert second.get("/").status_code == 401
    assert credentials.login_code.unused is None
