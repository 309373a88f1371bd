import json
import signal
import subprocess
import time
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
    journal.close()
    assert len(path.read_text().splitlines()) == 1
    path.write_text(path.read_text() + '{"stage": "pl')
    again = DraftJournal(path)
    again.reach("plan", "b", 3)
    again.close()
    assert [json.loads(line)["stage"] for line in path.read_text().splitlines()] == ["passages", "plan"]


def test_the_journal_of_other_documents_is_refused(tmp_path: Path) -> None:
    journal = DraftJournal(tmp_path / "journal")
    journal.reach("passages", "a", 3)
    with pytest.raises(BadOption, match=r"another draft \(different passages\)"):
        journal.reach("passages", "b", 3)
    journal.close()
