import json
import os
import signal
import subprocess
import time
import warnings
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.drafts.judge import WorldJudge
from tests.cli.command import environment
from tests.drafts.killing_judge import small_world
from tests.testing.forked import ForkedProcess

from ragstone.drafts import draft
from ragstone.drafts.journal import DraftJournal
from ragstone.errors import BadOption

ROOT = Path(__file__).parents[2]
JUDGE = "tests.drafts.killing_judge:KillingJudge"


def start(folder: Path, kill_at: int = 0) -> ForkedProcess:
    command = ["-m", "ragstone", "draft", str(folder / "chunks.jsonl"), "--size", "25"]
    command += ["--judge", JUDGE, "-o", str(folder / "out.jsonl"), "-q"]
    variables = environment(KILL_AT=str(kill_at), CALLS=str(folder / "calls"))
    return ForkedProcess(command, cwd=ROOT, env=variables, stderr=subprocess.PIPE)


def kill_at_stage(folder: Path, stage: str) -> None:
    """Kill -9 a draft as soon as its journal says that a stage is reached."""
    journal = folder / "out.jsonl.journal"
    with start(folder) as process:
        while process.poll() is None:
            if journal.exists() and f'"stage": "{stage}"' in journal.read_text():
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.001)


@pytest.mark.slow
def test_killed_draft_resumes_with_same_file_and_no_repeated_calls(tmp_path: Path) -> None:
    rows = ({"id": one.id, "document": one.document, "text": one.text} for one in small_world().passages)
    (tmp_path / "chunks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    kill_at_stage(tmp_path, "passages")
    kill_at_stage(tmp_path, "plan")
    for kill_at in (3, 50):
        with start(tmp_path, kill_at) as process:
            assert process.wait() == -signal.SIGKILL, process.stderr and process.stderr.read()
        assert not (tmp_path / "out.jsonl").exists()
    kill_at_stage(tmp_path, "questions")
    with start(tmp_path) as process:
        assert process.wait() in {0, 3}, process.stderr and process.stderr.read()
    calls = Counter((tmp_path / "calls").read_text().split())
    assert len(calls) > 90
    assert set(calls.values()) == {1}
    whole = tmp_path / "whole.jsonl"
    found = draft(tmp_path / "chunks.jsonl", size=25, judge=WorldJudge(small_world()))
    found.save(whole)
    assert (tmp_path / "out.jsonl").read_text() == whole.read_text()


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = DraftJournal(path)
    journal.reach("passages", "a", 3)
    journal.reach("passages", "a", 3)

    assert len(path.read_text().splitlines()) == 1
    path.write_text(path.read_text() + '{"stage": "pl')
    again = DraftJournal(path)
    again.reach("plan", "b", 3)

    assert [json.loads(line)["stage"] for line in path.read_text().splitlines()] == ["passages", "plan"]


def test_the_journal_of_other_documents_is_refused(tmp_path: Path) -> None:
    journal = DraftJournal(tmp_path / "journal")
    journal.reach("passages", "a", 3)
    with pytest.raises(BadOption, match=r"another draft \(different passages\)"):
        journal.reach("passages", "b", 3)


def test_other_files_are_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    for content in ("My own journal of the year\n" * 10, "one line", '{"id": 1, "input": "q"}\n', "\x00\n"):
        path.write_text(content)
        with pytest.raises(BadOption, match="is not the journal of a draft"):
            DraftJournal(path)
        assert path.read_text() == content
    with pytest.raises(BadOption, match="is not a file"):
        DraftJournal(tmp_path)


def answer_line(key: str) -> str:
    return json.dumps({"key": key, "prompt": "p", "reply": {"text": "a", "cost": 1.0}}) + "\n"


@pytest.mark.parametrize(
    "damage",
    [
        '{"key": "2", "re\n',
        "\n",
        "[" * 100_000 + "\n",
        '{"key": "2", "reply": {"cost": NaN}}\n',
        "\x00" * 90 + "\n",
    ],
)
def test_answers_after_a_damaged_line_are_kept(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal"
    path.write_text(answer_line("1") + damage + answer_line("3") + '{"key": "4", "rep')
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        journal = DraftJournal(path)
    assert [bool(journal.recall(key)) for key in "1234"] == [True, False, True, False]
    assert journal.spent == 2
    assert path.read_text() == answer_line("1") + damage + answer_line("3")
    assert [f"{path}: line 2 cannot be read" in str(one.message) for one in caught] == [True] * bool(
        damage.strip()
    )


def test_an_answer_without_its_line_break_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_text(answer_line("1").rstrip("\n"))
    journal = DraftJournal(path)
    journal.reach("plan", "b", 3)
    assert journal.recall("1")
    assert [next(iter(json.loads(line))) for line in path.read_text().splitlines()] == ["key", "stage"]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_new_journal_is_readable_by_its_user_alone(tmp_path: Path) -> None:
    DraftJournal(tmp_path / "journal").reach("plan", "b", 3)
    assert (tmp_path / "journal").stat().st_mode & 0o777 == 0o600
