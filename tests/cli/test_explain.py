import json
from pathlib import Path

import pytest
from benchmarks.causes.world import toy_cases
from tests.cli.command import invoke
from tests.oracle.toy_rag import numbered_cases

from ragstone import evaluate, load_dataset
from ragstone.judges import LocalJudge
from ragstone.store import CAUSE, open_store


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs over the same cases: all sound, and one fault each."""
    place = tmp_path_factory.mktemp("runs")
    cases = toy_cases(1)
    sound = cases[0]
    repaired = [
        sound.model_copy(update={"id": case.id, "input": case.input}) if case.expected_output else case
        for case in cases
    ]
    for name, rows in (("sound", repaired), ("faulty", cases)):
        evaluate(rows, preset="diagnosis", judge=LocalJudge()).save(place / f"{name}.json")
    return place


def test_a_file_is_explained(folder: Path, tmp_path: Path) -> None:
    result = invoke(
        "explain", folder / "faulty.json", "--output", tmp_path / "why.md", "--output", tmp_path / "why.json"
    )
    assert result.exit_code == 0, result.stderr
    assert "WHY  faulty.json" in result.stdout
    assert "refused_wrongly" in result.stdout
    causes = {row["name"] for row in json.loads((tmp_path / "why.json").read_text())["causes"]}
    assert {"cut", "ranked_low", "misread", "distracted", "nothing_retrieved"} <= causes
    assert "| cut | between | 1 |" in (tmp_path / "why.md").read_text()


def test_diagnosis_is_written_as_html(folder: Path, tmp_path: Path) -> None:
    result = invoke("explain", folder / "faulty.json", "--output", tmp_path / "why.html")
    assert result.exit_code == 0, result.stderr
    page = (tmp_path / "why.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "refused_wrongly" in page
    assert "http" not in page.replace('http-equiv="Content-Security-Policy"', "")


def test_every_command_writes_the_same_formats(folder: Path, tmp_path: Path) -> None:
    runs = folder / "sound.json", folder / "faulty.json"
    assert invoke("compare", *runs, "--output", tmp_path / "changes.html").exit_code == 0
    assert "<h1" in (tmp_path / "changes.html").read_text()
    wrong = invoke("compare", *runs, "--output", tmp_path / "changes.xml")
    assert wrong.exit_code == 2
    assert "Known: .html, .json, .md." in wrong.stderr


def test_the_last_run_of_a_store_is_explained(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    evaluate(toy_cases(1), preset="diagnosis", judge="local", store=store, name="nightly")
    assert "WHY  nightly" in invoke("explain", "--store", store).stdout
    assert invoke("explain", "nightly", "--store", store, "--quiet").stdout == ""
    wrong = invoke("explain", "weekly", "--store", store)
    assert wrong.exit_code == 2


def test_cause_annotations_correct_the_diagnosis_of_stored_run(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.db")
    evaluate(toy_cases(1), preset="diagnosis", judge="local", store=tmp_path / "runs.db", name="nightly")
    assert "by the judge" not in invoke("explain", "nightly", "--store", tmp_path / "runs.db").stdout
    store.annotations.put(store.find("nightly").number, 0, "Ann", "yes", target=CAUSE, note="ignored")
    told = invoke("explain", "nightly", "--store", tmp_path / "runs.db").stdout
    assert "by the judge" in told
    assert "They checked 1 case and agreed with the judge in 0" in " ".join(told.split())


def test_compare_why_shows_causes_and_writes_regressions(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "regressions.jsonl"
    result = invoke(
        "compare", folder / "sound.json", folder / "faulty.json", "--why", "--regressions", file, "-v"
    )
    assert result.exit_code == 0, result.stderr
    assert "passed → cut" in result.stdout
    assert "tagged critical" in result.stderr
    rows = list(load_dataset(file))
    assert len(rows) == 11
    assert all("critical" in case.tags for case in rows)


def test_compare_json_has_causes_only_with_why(folder: Path, tmp_path: Path) -> None:
    invoke("compare", folder / "sound.json", folder / "faulty.json", "-o", tmp_path / "plain.json")
    assert "why" not in json.loads((tmp_path / "plain.json").read_text())
    invoke(
        "compare", folder / "sound.json", folder / "faulty.json", "--why", "-o", tmp_path / "why.json", "-q"
    )
    assert json.loads((tmp_path / "why.json").read_text())["why"]["flipped"]


def test_regressions_that_cannot_be_written_are_an_error(folder: Path) -> None:
    gone = folder / "no" / "such" / "folder.jsonl"
    result = invoke("compare", folder / "sound.json", folder / "faulty.json", "--regressions", gone)
    assert result.exit_code == 74
    assert "could not be written" in result.stderr


def test_app_option_measures_the_gain_of_each_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the embedded judge, on cases of one fault each: passages that were cut, handed over, are read."""
    module = tmp_path / "bridge_rag.py"
    module.write_text(
        "from tests.oracle.toy_rag import ToyRag, numbered_cases\n"
        "rag = ToyRag(numbered_cases(1, ['sound', 'gold passages cut']))\n"
        "def answer(question, contexts=None):\n    return rag(question, contexts)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    cases = numbered_cases(1, ["sound", "gold passages cut"])
    evaluate(cases, preset="diagnosis", judge=LocalJudge()).save(tmp_path / "run.json")
    result = invoke(
        "explain", tmp_path / "run.json", "--app", "bridge_rag:answer", "--output", tmp_path / "why.json"
    )
    assert result.exit_code == 0, result.stderr
    assert "IF MENDED, MEASURED" in result.stdout
    measured = json.loads((tmp_path / "why.json").read_text())["measured"]
    assert (measured["called"], measured["measured"], measured["left_out"]) == (2, 1, 0)
    (gain,) = measured["gains"]
    assert (gain["cause"], gain["cases"], gain["gain"]["value"]) == ("cut", 1, 0.5)
    assert gain["rates"] == {"real": 0.0, "passages": 1.0, "answers": 0.0, "both": 1.0}


def test_application_options_need_app(folder: Path) -> None:
    for options in (["--judge", "local"], ["--app-calls", "4"], ["--cache"], ["--offline"], ["--rpm", "5"]):
        result = invoke("explain", folder / "faulty.json", *options)
        assert result.exit_code == 2, options
        assert f"{options[0]} has an effect only with --app" in result.stderr
    result = invoke("explain", folder / "faulty.json", "--app", "no_such_module_here:answer")
    assert result.exit_code == 2
    assert "No module named" in result.stderr


def test_explain_exits_3_when_the_application_fails(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_rag.py").write_text(
        "def answer(question, contexts=None):\n    raise RuntimeError('no index')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = invoke("explain", folder / "faulty.json", "--app", "broken_rag:answer", "--app-concurrency", 1)
    assert result.exit_code == 3
    assert "Not measured: application: RuntimeError: no index (5 times)." in " ".join(result.stdout.split())
