"""New files that quote prompts, answers or documents belong to their user alone."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.drafts.journal import DraftJournal
from ragstone.drafts.review import DraftReview
from ragstone.private_file import append_privately, create_privately, write_privately
from tests.cli.command import RIGHT, invoke, rows
from tests.cli.test_draft import drafted

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions as POSIX has them")


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_draft_its_journal_and_its_review_are_private(tmp_path: Path) -> None:
    path = drafted(tmp_path)
    DraftJournal(tmp_path / "out.journal").reach("passages", "digest", 1)
    review = DraftReview(path)
    review.decide(next(iter(review.cases)), "keep", "Ann")
    assert invoke("review", path, "-o", tmp_path / "reviewed.jsonl").exit_code == 0
    names = [
        path.name,
        "out.journal",
        f"{path.name}.review",
        "reviewed.jsonl",
        *tmp_path.glob("*.draft.json"),
    ]
    assert {name: mode(tmp_path / name) for name in names} == dict.fromkeys(names, 0o600)


def test_exported_annotations_are_private(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite3"
    invoke("run", rows(tmp_path, RIGHT), "-m", "exact_match", "--store", store, "-q")
    assert invoke("annotate", "last", "--store", store, "--export", tmp_path / "a.jsonl").exit_code == 0
    assert [mode(tmp_path / name) for name in ("s.sqlite3", "a.jsonl")] == [0o600, 0o600]


def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    for name in ("created", "appended", "written"):
        (tmp_path / name).write_text("x")
        (tmp_path / name).chmod(0o640)
    create_privately(tmp_path / "created")
    with append_privately(tmp_path / "appended") as file:
        file.write(b"y")
    write_privately(tmp_path / "written", "z\n")
    assert [mode(tmp_path / name) for name in ("created", "appended", "written")] == [0o640] * 3
    assert [(tmp_path / name).read_text() for name in ("created", "appended", "written")] == [
        "x",
        "xy",
        "z\n",
    ]
    create_privately(tmp_path / "deep" / "er" / "file")
    assert (mode(tmp_path / "deep" / "er"), mode(tmp_path / "deep" / "er" / "file")) == (0o700, 0o600)
