"""A page that is really served: uvicorn on a free port of loopback, in a thread, on a store of its own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread
from time import monotonic, sleep
from typing import NamedTuple

from playwright.sync_api import Page

from ragstone.config import Settings
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.server import server_on
from ragstone.store import Store, open_store
from ragstone.traces.redaction import Redaction

PATIENCE = 60.0


class Site(NamedTuple):
    """Where a page is served, and the store that it shows."""

    url: str
    store: Store


@contextmanager
def served(
    store: str | Path,
    *,
    settings: Settings | None = None,
    credentials: Credentials | None = None,
    folder: Path | None = None,
    redaction: Redaction | None = None,
) -> Iterator[Site]:
    """Serve the pages on a store until the end of the block."""
    kept = open_store(store)
    own = folder or Path(mkdtemp(prefix="ragstone-datasets-"))
    ctx = AppContext(
        kept,
        settings or Settings(),
        address=store,
        folder=own,
        redaction=redaction or Redaction(),
        test_set=own / "grown" / "test-set.jsonl",
    )
    server = server_on(ctx, credentials or Credentials(), host="127.0.0.1", port=0)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Site(f"http://127.0.0.1:{port}", kept)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        kept.close()


def wait_until(holds: object, patience: float = PATIENCE) -> None:
    """Wait until `holds()` is true; fail where it does not become so."""
    deadline = monotonic() + patience
    while not holds():  # type: ignore[operator]
        assert monotonic() < deadline, f"waited {patience:g} s in vain"
        sleep(0.02)


def press(page: Page, *keys: str) -> None:
    """Press keys on a page whose scripts have run: where a link has just been followed, they may still be under way.

    Playwright waits by itself only for a page that `goto` and `wait_for_url` lead to.
    """
    for key in keys:
        page.wait_for_load_state()
        page.keyboard.press(key)


def plain(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers with their names in small letters."""
    return {name.lower(): value for name, value in headers.items()}
