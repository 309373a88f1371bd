"""Runs that the command line keeps: listed, shown, written, deleted, annotated, compared with a baseline."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.cli.command import RIGHT, WRONG, forked, invoke, rows

from ragstone.findings import Report
from ragstone.findings.agreement.annotations import with_annotations
from ragstone.findings.stored import report_from_store
from ragstone.store import Store, Target, open_store
from ragstone.store import store as store_module
from ragstone.store.schema.connect import connect


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two runs over four questions: a good one, and one with three wrong answers."""
    cases = [{**RIGHT, "input": f"Question {number}?", "id": f"c{number}"} for number in range(4)]
    good = rows(tmp_path, *cases, name="good.jsonl")
    bad = rows(
        tmp_path, cases[0], *({**case, "actual_output": "Rome"} for case in cases[1:]), name="bad.jsonl"
    )
    where = tmp_path / "runs.sqlite3"
    for name, data in (("good", good), ("bad", bad)):
        invoke("run", data, "-m", "exact_match", "--store", where, "--name", name, "--tag", f"t-{name}", "-q")
    return where


def test_runs_are_stored_by_default(tmp_path: Path) -> None:
    data = rows(tmp_path, RIGHT)
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "RAGSTONE_STORE": ""}
    assert invoke("runs", env=home).exit_code == 2
    assert invoke("run", data, "-m", "exact_match", "-q", "--no-store", env=home).exit_code == 0
    assert "No run is stored in" in invoke("runs", env=home).stderr
    assert forked("run", data, "-m", "exact_match", "-q", "--name", "mine", **home).returncode == 0
    assert "mine" in invoke("runs", env=home).stdout


def test_run_succeeds_when_default_store_is_not_writable(tmp_path: Path) -> None:
    data = rows(tmp_path, RIGHT)
    blocked = rows(tmp_path, "no folder", name="blocked")
    done = forked("run", data, "-m", "exact_match", "-q", XDG_DATA_HOME=str(blocked), RAGSTONE_STORE="")
    assert done.returncode == 0
    assert "this run is not stored: The store" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    asked_for = invoke("run", data, "-m", "exact_match", "-q", "--store", blocked / "runs.sqlite3")
    assert asked_for.exit_code == 3


@pytest.mark.parametrize("command", [["run", "cases.jsonl", "-m", "exact_match"], ["demo"]])
def test_a_command_opens_the_default_store_once(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows(tmp_path, RIGHT)
    monkeypatch.chdir(tmp_path)
    opened: list[object] = []
    monkeypatch.setattr(store_module, "connect", lambda where: opened.append(where) or connect(where))
    home = {"XDG_DATA_HOME": str(tmp_path / "data"), "RAGSTONE_STORE": ""}
    assert invoke(*command, "-q", env=home).exit_code in (0, 1)
    assert len(opened) == 1


def test_show_case_distinguishes_two_specs_of_one_metric(tmp_path: Path) -> None:
    where = tmp_path / "runs.sqlite3"
    both = ("-m", "pattern_match(pattern='Paris')", "-m", "pattern_match(pattern='Rome')")
    invoke("run", rows(tmp_path, RIGHT), *both, "--store", where, "-q")
    shown = invoke("show", "--case", 1, "--store", where).output
    assert "PatternMatch(pattern='Paris') 1.0" in shown
    assert "PatternMatch(pattern='Rome') 0.0" in shown


def test_runs_are_listed_and_filtered(store: Path) -> None:
    listed = invoke("runs", "--store", store).output
    assert listed.index("bad") < listed.index("good")
    assert "too few to say  1 of 4 passed  n = 4" in listed
    assert "#t-good" in listed
    found = json.loads(invoke("runs", "--store", store, "--tag", "t-good", "--json").output)
    assert [(run["name"], run["state"], run["metrics"][0]["mean"]) for run in found] == [
        ("good", "complete", 1.0)
    ]
    assert "No run matches." in invoke("runs", "nothing", "--store", store).output
    assert "1 other run not shown" in invoke("runs", "--store", store, "--limit", 1).output
    assert json.loads(invoke("runs", "--store", store, "--until", "2020-01-31", "--json").output) == []


def test_a_run_and_a_case_are_shown(store: Path, tmp_path: Path) -> None:
    shown = invoke("show", "bad", "--store", store, "--output", tmp_path / "report.html")
    assert shown.exit_code == 1
    assert "RUN  bad" in shown.output
    assert "Question 3?" in (tmp_path / "report.html").read_text(encoding="utf-8")
    case = invoke("show", "bad", "--case", 2, "--store", store)
    assert case.exit_code == 0
    assert "CASE 2" in case.output
    assert "Rome" in case.output
    missing = invoke("show", "bad", "--case", 9, "--store", store)
    assert missing.exit_code == 2
    assert "has no measured test case 9" in missing.stderr


def test_a_run_is_exported(store: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"r{suffix}" for suffix in (".jsonl", ".md", ".html", ".csv", ".xml", ".json")]
    done = invoke("export", "bad", "--store", store, *(part for file in files for part in ("-o", file)))
    assert done.exit_code == 0
    assert all(file.stat().st_size for file in files)
    assert len(files[0].read_text(encoding="utf-8").splitlines()) == 4
    piped = invoke("export", "bad", "--store", store, "-o", "-")
    assert len(piped.stdout.splitlines()) == 4
    assert "name one with --output" in invoke("export", "bad", "--store", store).stderr


def test_runs_are_deleted_only_after_confirmation(store: Path) -> None:
    good, bad = (open_store(store).find(name).run.id for name in ("good", "bad"))
    refused = invoke("delete", bad, "last", "", "--store", store, "--yes")
    assert (refused.exit_code, len(open_store(store).runs())) == (2, 2)
    kept = invoke("delete", bad, "--store", store, input="n\n")
    assert "kept:" in kept.stderr
    assert len(open_store(store).runs()) == 2
    invoke("delete", bad, "--store", store, "--yes")
    assert [found.run.id for found in open_store(store).runs()] == [good]


def test_a_baseline_is_compared_with_the_last_run(store: Path, tmp_path: Path) -> None:
    assert "needs two runs" in invoke("compare", "good", "--store", store).stderr
    assert "There is no baseline 'main'" in invoke("compare", "--baseline", "main", "--store", store).stderr
    assert invoke("baseline", "main", "good", "--store", store).exit_code == 0
    summary = tmp_path / "summary.md"
    done = invoke("compare", "--baseline", "main", "--store", store, "--output", summary)
    assert done.exit_code == 0
    assert "main (good) → bad" in done.output
    assert summary.read_text(encoding="utf-8").startswith("## ")
    assert "3 broke, 0 mended" in summary.read_text(encoding="utf-8")
    assert (
        invoke("baseline", "main", "--store", store).output.strip() == open_store(store).find("good").run.id
    )
    assert "main  " in invoke("baseline", "--store", store).output
    assert "[main]" in invoke("runs", "--store", store).output
    invoke("baseline", "main", "bad", "--store", store)
    assert "is the baseline 'main' itself" in invoke("compare", "--baseline", "main", "--store", store).stderr
    assert invoke("baseline", "main", "--remove", "--store", store).exit_code == 0
    assert invoke("baseline", "main", "--remove", "--store", store).exit_code == 2


def annotate(store: Path, annotator: str, keys: str, *options: str) -> str:
    """Press keys, one after the other, as a person would."""
    with patch("click.getchar", side_effect=list(keys)):
        done = invoke("annotate", "bad", "--store", store, "--annotator", annotator, *options)
    assert done.exit_code == 0, done.output
    return done.stdout + done.stderr


def test_keyboard_annotations_are_stored_and_compared_with_judge(store: Path, tmp_path: Path) -> None:
    first = annotate(store, "ada", "ynxbnq")
    assert "1 OF 4" in first
    assert "3 annotations given, 2 left" in first
    assert "2 annotations given, 0 left" in annotate(store, "ada", "n?")
    annotate(store, "bob", "ynys")
    kept = open_store(store)
    words = {
        (said.annotator, said.case_index): said.verdict
        for said in kept.annotations.of(kept.find("bad").number)
    }
    assert words == {
        ("ada", 0): "yes",
        ("ada", 1): "no",
        ("ada", 2): "no",
        ("ada", 3): "idk",
        ("bob", 0): "yes",
        ("bob", 1): "no",
        ("bob", 2): "yes",
    }
    report = tmp_path / "agreement.json"
    done = invoke("agree", "--run", "bad", "--store", store, "--output", report)
    assert done.exit_code == 0, done.output
    assert json.loads(report.read_text(encoding="utf-8"))["metrics"][0]["n"] == 2


def test_undecided_results_are_annotated_in_random_order_and_narrow_the_mean(tmp_path: Path) -> None:
    unread = "\u0628\u0631\u062c \u0625\u064a\u0641\u0644 \u0641\u064a \u0628\u0627\u0631\u064a\u0633."
    passage = "The Eiffel Tower stands in Paris."
    cases = [
        {
            "input": f"Where is tower {n}?",
            "id": f"c{n}",
            "actual_output": unread if n % 2 else passage,
            "retrieval_context": [passage],
        }
        for n in range(12)
    ]
    store, data = tmp_path / "runs.sqlite3", rows(tmp_path, *cases)
    invoke("run", data, "-m", "faithfulness", "--store", store, "--name", "bad", "-q")
    assert (
        "name it with --metric"
        in invoke("annotate", "bad", "--store", store, "--annotator", "ada", "--undecided").stderr
    )
    shown = annotate(store, "ada", "yyynq", "-m", "faithfulness", "--undecided")
    assert "1 OF 6" in shown
    given = open_store(store).annotations.of(open_store(store).find("bad").number)
    drawn = [said.case_index for said in given]
    assert len(drawn) == 4
    assert all(index % 2 for index in drawn)
    done = invoke("agree", "--run", "bad", "-m", "faithfulness", "--store", store)
    assert done.exit_code == 0, done.output
    assert "people checked 4 of 6 undecided cases" in " ".join(done.stdout.split())


def test_an_annotated_claim_has_the_bounds_of_its_own_verdict(tmp_path: Path) -> None:
    passage = "The Eiffel Tower stands in Paris."
    unread = "\u0628\u0631\u062c \u0625\u064a\u0641\u0644."
    case = {"input": "Where?", "actual_output": f"{passage} {unread}", "retrieval_context": [passage]}
    store = tmp_path / "runs.sqlite3"
    invoke("run", rows(tmp_path, case), "-m", "faithfulness", "--store", store, "--name", "bad", "-q")
    stored = open_store(store).find("bad")
    spec = stored.run.plan.metrics[0]
    open_store(store).annotations.put(stored.number, 0, "ada", "yes", target=Target(spec, 0), claim=passage)
    report = report_from_store(open_store(store), stored)
    (whole,), (claim,) = report.results[0], _on_claims(report, open_store(store), spec).results[0]
    assert whole.low != whole.high
    assert claim.low == claim.high == claim.score


def _on_claims(report: Report, store: Store, spec: str) -> Report:
    return with_annotations(report, store.annotations.of(store.find("bad").number), [0], spec)


def test_annotations_are_imported_and_exported(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "annotations.jsonl"
    file.write_text(
        '{"case_id": "c1", "verdict": "no", "annotator": "ada", "note": "Wrong."}\n'
        '{"case": 1, "verdict": "yes", "metric": "exact_match", "statement": 0, "claim": "Paris"}\n'
    )
    assert (
        "2 annotations read"
        in invoke("annotate", "bad", "--store", store, "--import", file, "--annotator", "bob").stderr
    )
    out = tmp_path / "out.jsonl"
    invoke("annotate", "bad", "--store", store, "--export", out)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(line["case"], line["annotator"], line["verdict"], line["note"]) for line in lines] == [
        (1, "bob", "yes", None),
        (2, "ada", "no", "Wrong."),
    ]
    file.write_text('{"case": 1, "verdict": "maybe", "annotator": "ada"}\n')
    wrong = invoke("annotate", "bad", "--store", store, "--import", file)
    assert wrong.exit_code == 2
    assert "line 1: verdict 'maybe' of annotator 'ada'" in wrong.stderr
    assert "The name of the annotator is missing" in invoke("annotate", "bad", "--store", store).stderr
    assert "Nobody has annotated" in invoke("agree", "--run", "good", "--store", store).stderr


def test_repeated_tag_options_are_stored(tmp_path: Path) -> None:
    where = tmp_path / "runs.sqlite3"
    invoke(
        "run", rows(tmp_path, WRONG), "-m", "exact_match", "--store", where, "--tag", "a", "--tag", "b", "-q"
    )
    assert open_store(where).find("last").run.plan.tags == ("a", "b")
