"""Links that lead out of docs/ work on the site as they do in the repository.

The repository's own pages (changelog, contributing, security) become pages of the site. Any other file that a page
links to is carried along as plain text under `repository/`, so that a figure's test can be read where it is cited.
A folder has no page: its link becomes its path.
"""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
HOME = {"README.md": "index.md"}
LINK = re.compile(r"(!?\[(?P<text>[^\]]*)\])\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)
OUTSIDE = re.compile(r"^[a-z][a-z+.-]*:|^#|^/")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the repository's own pages, and every file that some page links to."""
    root = Path(config.config_file_path).parent
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(root / name).read_text(encoding="utf-8")))
    for path in sorted({path for file in files.documentation_pages() for path in _cited(file, root)}):
        files.append(File.generated(config, _carried(path), abs_src_path=str(root / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn the links of a page that leave docs/ towards what the site has in their place."""
    root = Path(config.config_file_path).parent

    def turn(match: re.Match[str]) -> str:
        path, anchor = _path(match["target"], page.file.src_uri)
        if path is None:
            return match[0]
        if not (root / path).exists():
            raise PluginError(f"{page.file.src_uri} links to {match['target']!r}, and there is no {path}")
        if (root / path).is_dir() and not path.startswith("docs/"):
            return f"{match['text']} (`{path}/`)"
        return f"{match[1]}({_from(page.file.src_uri, _place(path))}{anchor})"

    return _outside_fences(markdown, lambda text: LINK.sub(turn, text))


def _cited(file: File, root: Path) -> list[str]:
    """The files of the repository outside docs/ that a page links to."""
    targets: list[str] = []

    def note(text: str) -> str:
        targets.extend(match["target"] for match in LINK.finditer(text))
        return text

    _outside_fences(file.content_string, note)
    paths = [_path(target, file.src_uri)[0] for target in targets]
    known = PAGES | HOME
    return [
        path
        for path in paths
        if path and path not in known and not path.startswith("docs/") and (root / path).is_file()
    ]


def _path(target: str, source: str) -> tuple[str | None, str]:
    """Where a link leads, as a path in the repository, and its anchor; None where it stays within docs/."""
    link, hash_, anchor = target.partition("#")
    if not link or OUTSIDE.match(target):
        return None, ""
    folder = "" if source in PAGES.values() else posixpath.join("docs", posixpath.dirname(source))
    path = posixpath.normpath(posixpath.join(folder, link))
    stays = path.startswith("docs/") and source not in PAGES.values()
    return (None if stays else path), hash_ + anchor


def _place(path: str) -> str:
    """The page or file of the site that stands for a path of the repository."""
    if path.startswith("docs/"):
        inner = path.removeprefix("docs/")
        return inner if posixpath.splitext(inner)[1] else f"{inner}/index.md"
    return {**PAGES, **HOME}.get(path) or _carried(path)


def _carried(path: str) -> str:
    return f"repository/{path}.txt"


def _from(source: str, target: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(source) or ".")


def _outside_fences(markdown: str, change: Callable[[str], str]) -> str:
    """Change a page's prose; what stands in fences is code."""
    parts, end = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [change(markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(markdown[end:])])
