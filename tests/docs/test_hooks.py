"""What makes the site: menus from folders, links that leave docs/, pages from docstrings."""

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from tests.docs._page import ROOT

pytest.importorskip("mkdocs", reason="THE SITE IS NOT TESTED: mkdocs is not installed (group dev)")

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import PluginCollection
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page


def hook(name: str) -> ModuleType:
    spec = spec_from_file_location(name, ROOT / "docs" / "_hooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


navigation, links, reference = hook("navigation"), hook("links"), hook("reference")
Site = Callable[..., tuple[MkDocsConfig, Files]]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A project of its own, with the pages that are named."""

    def make(nav: list[object], **pages: str) -> tuple[MkDocsConfig, Files]:
        config = cast("MkDocsConfig", MkDocsConfig(config_file_path=str(tmp_path / "mkdocs.yml")))
        config.load_dict({"site_name": "s", "docs_dir": str(tmp_path / "docs"), "nav": nav})
        config.plugins = PluginCollection()
        config.plugins._current_plugin = "test"  # as MkDocs sets it while it calls a hook
        named = {name.replace("__", "/") + ".md": text for name, text in pages.items()}
        for name, text in named.items():
            (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "docs" / name).write_text(text)
        (tmp_path / "tests").mkdir()
        (tmp_path / "tests" / "test_a.py").write_text("a test")
        for page in links.PAGES:
            (tmp_path / page).write_text(
                f"# {page}\n\n[a](docs/a.md) [tests](tests/) [one](tests/test_a.py)\n"
            )
        return config, Files(
            [File(name, str(tmp_path / "docs"), str(tmp_path / "site"), False) for name in named]
        )

    return make


def shown(name: str, markdown: str, site: tuple[MkDocsConfig, Files]) -> str:
    config, files = site
    page = Page(None, File(name, config.docs_dir, "site", use_directory_urls=False), config)
    return links.on_page_markdown(markdown, page=page, config=config, files=files)


def menu(site: tuple[MkDocsConfig, Files]) -> object:
    config, files = site
    navigation.on_files(files, config)
    return config.nav


def test_menu_follows_index_groups_with_unlisted_pages_last(site: Site) -> None:
    index = "# How to\n\n[a](a.md)\n\n## Begin: here\n\n- [c](c.md) [a again](a.md)\n- [gone](gone.md)\n\n## Empty\n"
    made = site([{"How-to": "h/*"}], h__index=index, h__a="a", h__b="b", h__c="c", x="elsewhere")
    assert menu(made) == [{"How-to": ["h/index.md", "h/a.md", {"Begin": ["h/c.md"]}, "h/b.md"]}]


def test_an_index_ends_with_the_pages_that_it_does_not_name(site: Site) -> None:
    config, files = site([], h__index="# How to\n\n[a](a.md)\n", h__a="# A", h__b="# Big B\n", other__c="# C")
    page = Page(None, File("h/index.md", config.docs_dir, "site", use_directory_urls=False), config)
    text = navigation.on_page_markdown("# How to\n\n[a](a.md)\n", page=page, config=config, files=files)
    assert text == "# How to\n\n[a](a.md)\n\n- [Big B](b.md)\n"
    assert (
        navigation.on_page_markdown("[x](x.md)", Page(None, files.src_uris["h/b.md"], config), config, files)
        == "[x](x.md)"
    )


def test_menu_lists_folder_without_index_and_refuses_empty_folder(site: Site) -> None:
    made = site([{"A": ["x.md", {"B": "h/*"}]}], x="x", h__a="a", h__b="b")
    assert menu(made) == [{"A": ["x.md", {"B": ["h/a.md", "h/b.md"]}]}]
    made[0].nav = [{"None": "none/*"}]
    with pytest.raises(PluginError, match="docs/none has no page"):
        menu(made)


@pytest.mark.parametrize(
    ("written", "built"),
    [
        ("[b](b.md#x)", "[b](b.md#x)"),
        ("[b](https://example.org/../x.md)", "[b](https://example.org/../x.md)"),
        ("[log](../../CHANGELOG.md#added)", "[log](../changelog.md#added)"),
        ("[start](../../README.md)", "[start](../index.md)"),
        ("[test](../../tests/test_a.py)", "[test](../repository/tests/test_a.py.txt)"),
        ("[tests](../../tests/)", "tests (`tests/`)"),
        ("```text\n[log](../../CHANGELOG.md)\n```", "```text\n[log](../../CHANGELOG.md)\n```"),
    ],
)
def test_links_outside_docs_are_rewritten(written: str, built: str, site: Site) -> None:
    made = site([], h__a=written)
    (Path(made[0].config_file_path).parent / "README.md").write_text("# Read me")
    assert shown("h/a.md", written, made) == built


def test_a_link_to_nothing_is_an_error_that_names_page_and_target(site: Site) -> None:
    with pytest.raises(PluginError, match=r"h/a.md links to '../../gone.py', and there is no gone.py"):
        shown("h/a.md", "[x](../../gone.py)", site([], h__a="a"))


def test_repository_pages_and_cited_files_are_added_to_site(site: Site) -> None:
    config, files = site([], a="a")
    links.on_files(files, config)
    assert {"changelog.md", "contributing.md", "repository/tests/test_a.py.txt"} <= set(files.src_uris)
    text = files.src_uris["changelog.md"].content_string
    assert "[a](a.md) tests (`tests/`)" in shown("changelog.md", text, (config, files))


def test_reference_page_lists_every_public_name() -> None:
    page = reference.page("ragstone.store", ROOT / "src")
    assert page.startswith("# ragstone.store\n\n::: ragstone.store\n")
    assert "\n::: ragstone.store.open_store\n" in page
    assert "RagstoneError" in reference.public_names("ragstone.errors", ROOT / "src")
