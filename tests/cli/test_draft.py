import json
from pathlib import Path

from tests.cli.command import forked, invoke
from tests.drafts.documents import folder_of

from ragstone import load_dataset
from ragstone.cli.draft import command
from ragstone.findings.fingerprint import hash_test_set


def drafted(folder: Path, *options: object) -> Path:
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    folder_of(docs)
    output = folder / "draft.jsonl"
    invoke("draft", docs, "--no-llm", "-q", "-o", output, *options)
    return output


def test_draft_writes_questions_and_shows_check_results(tmp_path: Path) -> None:
    done = forked("draft", folder_of(tmp_path), "--no-llm", "--size", "5", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert "5 of 5 questions" in done.stdout
    assert "written by rules" in done.stdout
    assert "round_trip" in done.stdout
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 5


def test_draft_exits_3_when_documents_give_fewer_questions(tmp_path: Path) -> None:
    done = invoke("draft", folder_of(tmp_path), "--no-llm", "--size", "99", "-o", tmp_path / "out.jsonl")
    assert done.exit_code == 3
    assert "of 99 questions" in done.stdout


def test_draft_exits_2_without_a_writer_or_readable_documents(tmp_path: Path) -> None:
    assert command.name == "draft"
    done = invoke("draft", folder_of(tmp_path))
    assert done.exit_code == 2
    assert "--no-llm" in done.stderr
    assert invoke("draft", tmp_path / "absent", "--no-llm").exit_code == 2
    done = invoke("draft", tmp_path, "--no-llm", "-o", tmp_path / "no" / "x.jsonl")
    assert done.exit_code == 2
    assert "there is no folder" in done.stderr


def test_perfect_retriever_has_hit_rate_1_on_draft(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in drafted(tmp_path).read_text().splitlines()]
    for row in rows:
        if "relevant_ids" in row:
            row["retrieved_ids"] = sorted(row["relevant_ids"], key=row["relevant_ids"].__getitem__)[-1:]
    perfect = tmp_path / "perfect.jsonl"
    perfect.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = invoke("run", perfect, "-m", "hit_rate", "--no-store", "--on-missing", "skip", "-o", "-")
    shown = invoke("run", perfect, "-m", "hit_rate", "--no-store", "--on-missing", "skip").stdout
    report = tmp_path / "report.json"
    invoke("run", perfect, "-m", "hit_rate", "--no-store", "--on-missing", "skip", "-q", "-o", report)
    digest = hash_test_set(load_dataset(drafted(tmp_path)).cases)
    assert f"test set {digest}" in shown
    assert f"test set {digest}" in invoke("compare", report, report).stdout
    results = [json.loads(line) for line in done.stdout.splitlines()]
    scores = [one["score"] for one in results if one["score"] is not None]
    assert len(scores) == sum("relevant_ids" in row for row in rows) > 5
    assert set(scores) == {1.0}


def test_an_estimate_sends_nothing(tmp_path: Path) -> None:
    done = invoke("draft", folder_of(tmp_path), "--judge", "openai:gpt-4o-mini", "--size", "4", "--estimate")
    assert done.exit_code == 0, done.stderr
    assert "Nothing was sent" in done.stdout
    done = invoke("draft", folder_of(tmp_path), "--judge", "local")
    assert done.exit_code == 2
