"""The site is built without a warning, leads nowhere into the void, and asks no other host for anything."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from os import environ
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.docs._page import ROOT

pytest.importorskip("mkdocs", reason="THE SITE IS NOT TESTED: mkdocs is not installed (group dev)")
pytest.importorskip(
    "mkdocstrings", reason="THE SITE IS NOT TESTED: mkdocstrings is not installed (group dev)"
)

pytestmark = pytest.mark.timeout(
    600
)  # the first to need the site builds it: 13 s of CPU, on a busy machine minutes

FETCHED = {  # the attributes for which a browser fetches what they name, without being asked
    "script": ("src",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "use": ("href", "xlink:href"),
    "form": ("action",),
}
LINKS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "manifest",
    "modulepreload",
}
CSS = re.compile(r"""(?:url\(|@import\s+)\s*["']?([^"')\s]+)""")
FOREIGN = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


class Page(HTMLParser):
    """What a page fetches, where its links lead, the anchors it has, and its paragraphs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.lost: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self._inside.append(tag)
        self.anchors |= {told[name] for name in ("id", "name") if name in told}
        self.fetched += [told[name] for name in FETCHED.get(tag, ()) if name in told]
        self.fetched += CSS.findall(told.get("style", ""))
        if tag == "link" and LINKS & set(told.get("rel", "").split()):
            self.fetched.append(told.get("href", ""))
        if tag == "a" and "href" in told:
            self.links.append(told["href"])

    def handle_endtag(self, tag: str) -> None:
        while tag in self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" in self._inside[-1:]:
            self.fetched += CSS.findall(data)
        if (
            "p" in self._inside
            and "code" not in self._inside
            and re.search(r"^(?:[-*|] |```|#+ )", data, re.MULTILINE)
        ):
            self.lost.append(data)


_BUILD = """
import sys
from mkdocstrings_handlers.python._internal import rendering
rendering._get_formatter = lambda: lambda code, _: code
from mkdocs.__main__ import cli
cli(sys.argv[1:], prog_name="mkdocs")
"""
"""Builds the site without Ruff, which would be started for each of 350 signatures: a third of the build."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-c", _BUILD, "build", "--strict", "--quiet", "--site-dir", str(folder)]
    variables = {**environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=variables, timeout=580
    )
    assert built.returncode == 0, f"{built.stdout}\n{built.stderr}"
    assert built.stderr == ""
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {
        path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
    }


def test_every_page_of_the_docs_is_built_and_in_the_menu(pages: dict[str, Page]) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(str(source) for source in sources if source.as_posix() not in pages) == []
    assert {"changelog.html", "contributing.html", "security.html"} <= set(pages)
    assert "reference/python/ragstone.metrics.html" in pages


def test_nothing_is_fetched_from_another_host(site: Path, pages: dict[str, Page]) -> None:
    by_pages = [
        f"{name}: {url}" for name, page in pages.items() for url in page.fetched if FOREIGN.match(url)
    ]
    sheets = [(path, CSS.findall(path.read_text(encoding="utf-8"))) for path in site.rglob("*.css")]
    by_sheets = [f"{path.name}: {url}" for path, urls in sheets for url in urls if FOREIGN.match(url)]
    assert by_pages + by_sheets == []
    assert sum(len(page.fetched) for page in pages.values()) > len(pages)


def test_every_link_within_the_site_leads_somewhere(site: Path, pages: dict[str, Page]) -> None:
    assert list(_broken_links(site, pages)) == []


def _broken_links(site: Path, pages: dict[str, Page]) -> Iterator[str]:
    for name, page in pages.items():
        for link in page.links if name != "404.html" else ():
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            target = target.resolve()
            target = target / "index.html" if target.is_dir() else target
            known = pages.get(target.relative_to(site.resolve()).as_posix())
            if not target.is_file() or (
                parts.fragment and known and unquote(parts.fragment) not in known.anchors
            ):
                yield f"{name}: {link}"


def test_lists_and_tables_are_not_rendered_as_paragraphs(pages: dict[str, Page]) -> None:
    assert [f"{name}: {text[:80]!r}" for name, page in pages.items() for text in page.lost] == []


def test_every_public_name_has_a_place_in_the_reference(pages: dict[str, Page]) -> None:
    import ragstone  # noqa: PLC0415  (only its names)

    anchors = pages["reference/python/ragstone.html"].anchors
    assert [name for name in ragstone.__all__ if f"ragstone.{name}" not in anchors] == []


def test_every_page_is_served_as_markdown_and_listed_for_language_models(
    site: Path, pages: dict[str, Page]
) -> None:
    listed = re.findall(
        r"^- \[[^\]]+\]\(([^)]+)\)", (site / "llms.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    expected = {str(Path(name).with_suffix(".md")) for name in pages if name != "404.html"}
    assert sorted(listed) == sorted(expected)
    texts = {name: (site / name).read_text(encoding="utf-8") for name in listed}
    assert [name for name, text in texts.items() if not re.search(r"^# \S", text, re.MULTILINE)] == []
    assert "\n::: " not in "".join(texts.values())
    assert "Args:" in texts["reference/python/ragstone.md"]
    targets = [
        (name, target)
        for name, text in texts.items()
        for target in re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]+)?\)", text)
    ]
    assert [found for found in targets if not (site / Path(found[0]).parent / found[1]).exists()] == []
    assert len(targets) > len(texts)
