"""The documentation tells the truth: every block of code on a page runs, in order, in a folder of the page's own."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from tests.docs import _python, _shell
from tests.docs._page import PAGES, ROOT, RUN, SHOWN, blocks
from tests.docs._stage import environment, furnish, vendors
from tests.testing import forked
from tests.testing.for_each import for_each

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
NOT_RUN = {
    "another library's code": 3,
    "asks a page that is served": 4,
    "asks a person": 5,
    "installs packages": 2,
    "measures the machine for minutes": 1,
    "needs a PostgreSQL server": 1,
    "needs a cluster": 2,
    "needs a container engine": 2,
    "needs a key": 1,
    "needs a Ray cluster": 1,
    "needs a server of your own": 5,
    "needs root and systemd": 2,
    "needs runs that were kept": 3,
    "needs the wheelhouse": 1,
    "sets up the repository": 3,
    "serves until it is stopped": 8,
    "settings of your application": 1,
    "waits for a vendor's batches": 2,
    "watches until it is stopped": 1,
}
"""Why blocks are not run, and how many each reason keeps from it."""


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, str]]:
    with vendors() as found:
        yield found


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `ragstone` and `pytest`, whose processes have imported already what they need."""
    folder = tmp_path_factory.mktemp("programs")
    forked.write_clients(folder)
    return folder


@pytest.mark.timeout(300)  # of real commands, on a busy machine
@pytest.mark.parametrize("page", [page for page in PAGES if any(b.runs for b in blocks(page))], ids=name)
def test_code_blocks_of_each_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, servers: dict[str, str], programs: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    furnish(folder, blocks(page))
    monkeypatch.chdir(folder)
    variables = environment(tmp_path, servers, programs)
    namespace: dict[str, object] = {"__name__": "__docs__"}
    in_order = [block for block in blocks(page) if block.runs]
    for python, group in groupby(in_order, lambda block: block.language in {"python", "py"}):
        if python:
            wrong = "\n\n".join(filter(None, [_python.run(block, namespace) for block in group]))
        else:
            todo = [command for block in group for command in _shell.commands(block)]
            wrong = "\n\n".join(_shell.run(todo, folder, variables))
        assert not wrong, wrong  # pytest shortens a comparison of texts, but no message


def test_skipped_blocks_have_the_known_reasons() -> None:
    reasons = Counter(block.kept_back for page in PAGES for block in blocks(page) if block.kept_back)
    assert dict(reasons) == NOT_RUN


@for_each("page", PAGES, ids=name)
def test_every_block_has_a_known_language(page: Path) -> None:
    assert [b.place for b in blocks(page) if "file" not in b.notes and b.language not in RUN | SHOWN] == []


@for_each("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []
