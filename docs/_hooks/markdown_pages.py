"""Each page is served as Markdown too, beside its HTML, and `llms.txt` lists them for language models.

The Markdown is what the other hooks made of it: links lead to pages of the site. A docstring stands in place of the line by which
mkdocstrings would insert it.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

_INSERTED = re.compile(r"^::: ([\w.]+)\n(?:    .*\n)*", re.MULTILINE)
_PARAGRAPH = re.compile(r"^[A-Za-z`*\[].*(?:\n[^\n#|`<-].*)*", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MAX_SUMMARY = 200


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Write the Markdown of a page."""
    path = Path(config.site_dir, _place(page))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_INSERTED.sub(_docstring, page.markdown or ""), encoding="utf-8")
    return output


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:
    """Write `llms.txt` once the Markdown of all pages is known."""
    del files
    path = Path(config.site_dir, "llms.txt")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"# {config.site_name}\n\n> {config.site_description}\n{''.join(_lines(_nav))}", encoding="utf-8"
    )
    return env


_nav: list[Any] = []


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Keep the navigation, whose sections are those of `llms.txt`."""
    del config, files
    _nav[:] = nav.items
    return nav


def _lines(items: list[Any]) -> list[str]:
    """Return a heading for each section of the first level, and a line for each page."""
    found: list[str] = []
    for item in items:
        pages = _pages(item)
        heading = f"\n## {item.title}\n\n" if isinstance(item, Section) else "\n"
        found += [heading, *(f"- [{page.title}]({_place(page)}){_summary(page)}\n" for page in pages)]
    return found


def _pages(item: Any) -> list[Page]:
    if isinstance(item, Page):
        return [item]
    return [page for child in item.children or () for page in _pages(child)]


def _place(page: Page) -> str:
    return str(Path(page.file.dest_uri).with_suffix(".md"))


def _summary(page: Page) -> str:
    """Return the first sentence of a page."""
    found = _PARAGRAPH.search(re.sub(r"```.*?```", "", page.markdown or "", flags=re.DOTALL))
    text = _LINK.sub(r"\1", " ".join(found[0].split())) if found else ""
    sentence = re.split(r"(?<=[.:?]) ", text)[0].rstrip(":.")
    return f": {sentence}" if 0 < len(sentence) <= _MAX_SUMMARY else ""


def _docstring(match: re.Match[str]) -> str:
    """Return the signature and the docstring of a module or of a public name."""
    module, _, name = match[1].rpartition(".")
    try:
        value = import_module(match[1])
    except ModuleNotFoundError:
        value = getattr(import_module(module), name)
    if inspect.ismodule(value):
        return f"{inspect.getdoc(value)}\n"
    return f"## {name}\n\n{_signature(name, value)}{inspect.getdoc(value) or ''}\n"


def _signature(name: str, value: Any) -> str:
    if not callable(value):
        return ""
    try:
        return f"```python\n{name}{inspect.signature(value)}\n```\n\n"
    except (TypeError, ValueError):
        return ""
