"""Draws the pictures of the web page: every page, light, dark, and on a phone. Needs Chromium and the dev dependencies.

    python docs/images/draw_pages.py [FOLDER]

Three versions of an answering system are judged by the embedded judge on the packaged dataset; a fourth run goes on. A test set
is drafted from this documentation. A shop's support is watched (`watched_shop.py`).
"""

import sys
import tempfile
from contextlib import chdir, contextmanager
from pathlib import Path
from shutil import which
from threading import Thread
from time import sleep

from playwright.sync_api import sync_playwright
from watched_shop import BEFORE, trace_id, watch_shop

from ragstone import evaluate, load_dataset
from ragstone.config import Settings
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.server import server_on
from ragstone.drafts import draft
from ragstone.event import MeasurementFinished, RunStarted
from ragstone.run import Plan, Run
from ragstone.store import open_store

HERE = Path(__file__).parent
METRICS = [
    "faithfulness(threshold=0.9)",
    "answer_relevancy",
    "contextual_precision",
    "contextual_recall(threshold=0.7)",
]
VERSIONS = {"retriever v5": 0.45, "retriever v6": 0.2, "retriever v7": 0.0}
"""For what share of the questions each version retrieved the passages of another one."""

_QUIET = ("--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none")


def versions(path):
    """Judge each version and keep its run; return the store."""
    cases = [*load_dataset("demo")]
    for name, share in VERSIONS.items():
        wrong = int(share * len(cases))
        found = [
            case.model_copy(
                update={"retrieval_context": cases[(place + 7) % len(cases)].retrieval_context, "id": case.id}
            )
            if place * 7 % len(cases) < wrong
            else case
            for place, case in enumerate(cases)
        ]
        Path("faq.jsonl").write_text(
            "\n".join(case.model_dump_json(exclude_none=True) for case in found), "utf-8"
        )
        evaluate("faq.jsonl", METRICS, judge="local", store=path, name=name, tags=("faq",), progress=False)
    store = open_store(path)
    store.baselines.put("main", store.find("retriever v6").number)
    stored = store.find("retriever v7")
    for place, verdict in ((0, "yes"), (1, "no"), (2, "yes")):
        store.annotations.put(stored.number, place, "Ann", verdict)
    return store


def half_done(store):
    """Let a run of forty cases go on that has come half way; return what it has asked for."""
    last = store.find("retriever v7")
    run = Run.begin(
        Plan(
            metrics=last.run.plan.metrics,
            judge="openai:gpt-4o-mini",
            name="retriever v8",
            dataset="faq.jsonl",
        )
    )
    recorder = store.recorder()
    cases, results = store.cases(last), store.results(last)
    recorder(RunStarted(run, 4 * 60))
    for place in range(min(24, len(cases))):
        for metric, result in enumerate(results[place]):
            priced = result.model_copy(update={"evaluation_cost": 0.0004, "judge": "openai:gpt-4o-mini"})
            recorder(MeasurementFinished(place, metric, cases[place], priced))
        sleep(0.1)
    return recorder


@contextmanager
def serving(path, store, folder):
    """Serve the pages; yield where."""
    ctx = AppContext(store, Settings(), address=path, draft=folder / "draft.jsonl", folder=folder)
    server = server_on(ctx, Credentials(), host="127.0.0.1", port=0)
    thread = Thread(target=server.run)
    thread.start()
    while not server.started:
        sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def pages(store):
    """Return every page by the name of its picture."""
    new, old = store.find("retriever v7").run.id, store.find("retriever v6").run.id
    return {
        "runs": "/",
        "run": f"/runs/{new}",
        "live": f"/runs/{store.find('retriever v8').run.id}",
        "why": f"/runs/{new}/why",
        "case": f"/runs/{new}/cases/{worst(store)}?sort=worst",
        "compare": f"/compare?runs={old}&runs={new}",
        "evaluate": "/evaluate",
        "annotate": f"/annotate?run={new}&index=4",
        "coverage": "/review/coverage",
    }


WATCH = {"watch": "/watch", "watch-more": "/watch#h-judge", "trace": f"/watch/traces/{trace_id(BEFORE + 3)}"}
"""The pages of a watch, which has a store of its own: it judges hundreds of cases, which no other picture is about."""


def worst(store):
    """Return the place of the worst case of the latest version."""
    from ragstone.store import CaseQuery

    return store.table(store.find("retriever v7")).page(CaseQuery(sort="worst", limit=1)).lines[0].case_index


def draw(browser, address, found, folder):
    """Write the pictures."""
    for look, (scheme, width, height) in {
        "light": ("light", 1280, 860),
        "dark": ("dark", 1280, 860),
        "phone": ("light", 390, 844),
    }.items():
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        context.add_cookies([{"name": "ragstone_annotator", "value": "Ann", "url": address}])
        page = context.new_page()
        for name, path in found.items():
            page.goto(address + path)
            page.wait_for_timeout(900)
            target = folder / f"page-{name}-{look}.png"
            page.screenshot(path=target)
            small(target)
        context.close()


def small(path):
    """Let a picture take as few colours as it needs, where Pillow is there to see to it."""
    try:
        from PIL import Image
    except ImportError:
        return
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def main():
    """Draw."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else HERE).absolute()
    with tempfile.TemporaryDirectory() as own, chdir(own):
        path, other = Path("runs.sqlite3"), Path("watched.sqlite3")
        watched = open_store(other)
        watch_shop(watched.traces, own)
        store = versions(path)
        going_on = half_done(store)
        draft(HERE.parent, size=100).save("draft.jsonl")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=which("chromium-headless-shell") or which("chromium"), args=[*_QUIET]
            )
            for kept, where, found in ((store, path, pages(store)), (watched, other, WATCH)):
                with serving(where, kept, Path(own)) as address:
                    draw(browser, address, found, folder)
            browser.close()
        del going_on


if __name__ == "__main__":
    main()
