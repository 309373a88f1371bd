"""A real browser on really served pages. Without Chromium these tests are skipped, and say so."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import which
from socket import socket
from threading import Event
from typing import Literal, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    expect,
    sync_playwright,
)
from tests.dashboard.site import Site, served

_PATIENCE = 90_000
"""Milliseconds in which what is expected may come: waiting costs nothing where the machine is not busy."""
expect.set_options(timeout=_PATIENCE)

_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without a window's frame, which takes half the CPU of a test."""
CHROMIUM = next(filter(None, map(which, _BROWSERS)), None)
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def running_chromium() -> Iterator[str]:
    """Run a browser, for the tests of all files; yield where it listens."""
    if CHROMIUM is None:
        pytest.skip(
            "Chromium is not installed: THE PAGES ARE NOT TESTED IN A BROWSER "
            "(apt-get install chromium-headless-shell)"
        )
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started, ended = Event(), Event()

    def run() -> None:
        with sync_playwright() as playwright:
            flags = [*_QUIET, f"--remote-debugging-port={port}"]
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=_PATIENCE)
            started.set()
            ended.wait()
            browser.close()

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(run)
        while not started.wait(0.05):
            if running.done():
                running.result()
        yield f"http://127.0.0.1:{port}"
        ended.set()
        running.result()


@pytest.fixture(scope="module")
def chromium(running_chromium: str) -> Iterator[Browser]:
    """The browser, for the tests of a file; each test has a context, and so cookies and storage, of its own.

    It runs in a thread, and each file connects to it anew: while Playwright is there, its event loop runs in this
    thread, and `asyncio.run` of whatever test comes later would be refused.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(running_chromium, timeout=_PATIENCE)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """A page that loads from loopback alone; what it says on its console as an error fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    with watched(context) as page:
        yield page
    context.close()


class watched:  # noqa: N801  (reads as a verb)
    """A new page of a context; at the end: no error, no dialog, no violation of the policy, no other host."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.complaints: list[str] = []

    def __enter__(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(_PATIENCE)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("dialog", self._on_dialog)
        page.on("request", self._on_request)
        return page

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            assert not self.complaints, self.complaints

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._complain(message.text)

    def _on_dialog(self, dialog: Dialog) -> None:
        self._complain(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self._complain(f"asked another host: {request.url}")

    def _complain(self, what: str) -> None:
        if "status of 4" not in what:  # a refused request is what some tests are about
            self.complaints.append(what)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """The pages on an empty store in SQLite."""
    with served(tmp_path / "runs.sqlite3") as found:
        yield found


HOSTILE = (
    "<script>window.pwned=1;alert('script')</script>"
    "<img src=x onerror=\"alert('img')\"><svg onload=\"alert('svg')\"><a href=\"javascript:alert('link')\">click</a>"
    '<iframe src="http://example.invalid/"></iframe><style>body{display:none}</style>'
    "{{ 7*7 }} {% raw %} ${7*7} </textarea></script><!-- \x1b[31mred\x1b[0m \x07 nul:\x00 \u202egnirts\u202c \ud800 "
    "'q' \"d\" &amp; "
)
"""What must be shown as text wherever it stands."""


@pytest.fixture
def hostile() -> str:
    """A text that tries everything."""
    return HOSTILE


WIDTHS = (1440, 390)
"""Of a desk's window and of a phone."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Accessible(Protocol):
    """A check that axe finds nothing serious on a page, in the colours it has or in each of some schemes."""

    def __call__(self, page: Page, *schemes: Literal["light", "dark"]) -> None: ...


_TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def accessible_everywhere(page: Page, accessible: Accessible) -> None:
    """Check a page on a desk and on a phone, light and dark; it may not be wider than either."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        accessible(page, *SCHEMES)
        wide = page.evaluate(_TOO_WIDE)
        assert wide <= 0, f"{page.url} is {wide} px wider than a screen of {width} px"


_AXE = """options => axe.run(document, options).then(found => found.violations)"""
_AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "selectors": False,  # what it would take longest to work out, and nobody reads: an element is told by its HTML
    "preload": False,  # style sheets, for a rule that is off
}
_OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules that read colours: all that another scheme can change."""


@pytest.fixture
def accessible() -> Accessible:
    """A check of a page by axe."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415  (carries axe-core)

    def check(page: Page, *schemes: Literal["light", "dark"]) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(Axe().axe_script)
        for number, scheme in enumerate(schemes or (None,)):
            if scheme is not None:
                page.emulate_media(color_scheme=scheme)
            found = page.evaluate(_AXE, _AXE_OPTIONS | (_OF_COLOURS if number else {}))
            serious = [one for one in found if one["impact"] in ("serious", "critical")]
            assert not serious, [
                (scheme, one["id"], [node["html"][:200] for node in one["nodes"]][:5]) for one in serious
            ]

    return check
