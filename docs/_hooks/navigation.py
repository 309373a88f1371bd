"""The navigation: `folder/*` in mkdocs.yml stands for all pages of that folder, so that a new page is never lost.

A folder's index.md says the order: each of its sections becomes a group of the pages that it links to, and a section of
the index without a heading of its own comes first. A page that the index does not name stands after the others, in the
menu and at the foot of the index.
"""

import posixpath
import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

HEADING = re.compile(r"^##\s+([^:\n]+).*$", re.MULTILINE)
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s:]+\.md)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put the pages of a folder in the place of each `folder/*`."""
    config.nav = [_expanded(entry, files) for entry in config.nav or []]
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """List at the foot of an index the pages of its folder that it does not name."""
    del config
    folder, _, name = page.file.src_uri.rpartition("/")
    if name != "index.md" or not folder:
        return markdown
    named = {posixpath.normpath(f"{folder}/{link}") for link in LINK.findall(markdown)} | {page.file.src_uri}
    others = [file for file in files.documentation_pages() if posixpath.dirname(file.src_uri) == folder]
    lines = [
        f"- [{_title(file)}]({posixpath.basename(file.src_uri)})"
        for file in others
        if file.src_uri not in named
    ]
    return "\n".join([markdown.rstrip(), "", *lines, ""])


def _title(file: File) -> str:
    heading = TITLE.search(file.content_string)
    return heading[1] if heading else file.name


def _expanded(entry: Any, files: Files) -> Any:
    if isinstance(entry, dict):
        return {title: _expanded(value, files) for title, value in entry.items()}
    if isinstance(entry, list):
        return [_expanded(inner, files) for inner in entry]
    return _pages(entry, files)


def _pages(value: Any, files: Files) -> Any:
    if not (isinstance(value, str) and value.endswith("/*")):
        return value
    folder = value.removesuffix("/*")
    pages = {
        file.src_uri: file for file in files.documentation_pages() if file.src_uri.startswith(f"{folder}/")
    }
    if not pages:
        raise PluginError(f"mkdocs.yml: nav names {value!r}, and docs/{folder} has no page")
    index = pages.pop(f"{folder}/index.md", None)
    groups = _groups(index, folder) if index else {}
    listed = {page for group in groups.values() for page in group if page in pages}
    entries: list[Any] = [index.src_uri] if index else []
    for title, group in groups.items():
        held = [page for page in group if page in pages]
        entries += held if not title else [{title: held}] if held else []
    return entries + [page for page in pages if page not in listed]


def _groups(index: File, folder: str) -> dict[str, list[str]]:
    """The index's sections and the pages of the folder that each links to, every page once."""
    parts = HEADING.split(index.content_string)
    sections = {"": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))
    seen: set[str] = set()
    groups: dict[str, list[str]] = {}
    for title, text in sections.items():
        links = dict.fromkeys(posixpath.normpath(f"{folder}/{link}") for link in LINK.findall(text))
        groups[title.strip()] = [link for link in links if link not in seen]
        seen.update(links)
    return groups
