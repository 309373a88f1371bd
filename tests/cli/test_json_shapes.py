"""Every command that shows figures writes them with --json, in the shape that the reference tells."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.audit.tuning.topic_judge import METRIC, labelled
from tests.cli.command import RIGHT, WRONG, invoke, rows
from tests.cli.planned_statuses import PlannedStatus
from tests.dashboard.runs import keep
from tests.drafts.test_review import drafted
from tests.push.score_servers import PhoenixServer, serving
from tests.testing.for_each import for_each

from ragstone.cli import COMMANDS
from ragstone.mcp import results
from ragstone.store import open_store

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
TOPIC_JUDGE = "tests.audit.tuning.topic_judge:TopicJudge"
PLANNED = f"{PlannedStatus.__module__}:PlannedStatus"


def documented(heading: str, table: str = "| key |") -> set[str]:
    """Return the keys of a table of the page: the names in its first column."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = section.partition(table)[2].split("\n")[2:]
    rows_ = lines[: next(number for number, line in enumerate(lines) if not line.startswith("|"))]
    return {name for row in rows_ for name in re.findall(r"`(\w+)`", row.split("|")[1])}


def written(*arguments: object, codes: tuple[int, ...] = (0, 1)) -> Any:
    """Return what a command writes with --json, which is all that it writes to standard output."""
    done = invoke(*arguments, "--json")
    assert done.exit_code in codes, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs, of which the second has a case less right and one that was not measured."""
    path = tmp_path_factory.mktemp("store") / "runs.sqlite3"
    opened = open_store(path)
    good: list[float | None] = [0.9] * 12
    keep(opened, good, name="before")
    run = keep(opened, [None, 0.2, *good[2:]], name="after")
    opened.annotations.put(run.number, 2, "ada", "yes")
    opened.close()
    return path


def test_stored_runs_have_the_documented_shapes(store: Path) -> None:
    where = ("--store", store)
    report = written("show", "after", *where, codes=(3,))
    assert set(report) == documented("ragstone run")
    assert set(report["summary"]["Faithfulness"]) == documented("A figure")
    (run, _) = written("runs", *where)
    assert set(run) == documented("ragstone runs")
    assert set(run["metrics"][0]) == documented("A figure") | {"metric", "spec", "cost"}
    case = written("show", "after", "--case", 3, *where)
    assert set(case) == documented("ragstone show --case")
    assert case["annotations"][0]["annotator"] == "ada"
    assert invoke("token", "shop", "--role", "reader", *where).exit_code == 0
    assert set(written("token", *where)[0]) == documented("ragstone token")
    assert set(written("audit", *where)[0]) == documented("ragstone audit")
    compared = written("compare", "before", "after", *where)
    assert set(compared) == documented("ragstone compare")
    keys = documented("ragstone compare", "| key of a metric |")
    differing = {"before_high", "after_high", "difference_high", "single_interval"}  # told beside another key
    assert set(compared["metrics"][0]) == keys | differing
    assert compared["metrics"][0]["flips"]
    assert set(written("explain", "after", *where)) == documented("ragstone explain")
    assert set(written("agree", "--run", "after", *where)) == documented("ragstone agree")


def test_figures_runs_and_comparisons_of_the_mcp_server_have_the_documented_keys() -> None:
    own = {"text", "metric", "spec", "flipped"}
    changed = documented("ragstone compare", "| key of a metric |")
    for kind, keys in (
        (results.MetricFigureAnswer, documented("A figure")),
        (results.RunAnswer, documented("ragstone runs")),
        (results.ComparisonAnswer, documented("ragstone compare")),
        (results.MetricChangeAnswer, changed),
        (results.ExplanationAnswer, documented("ragstone explain")),
        (results.MetricAnswer, documented("ragstone metrics", "| key of a metric |")),
    ):
        assert set(kind.model_fields) - own <= keys, kind


def test_json_is_the_same_document_as_the_output_file(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "compared.json"
    printed = written("compare", "before", "after", "--store", store, "-q", "-o", file)
    assert printed == json.loads(file.read_text(encoding="utf-8"))


def test_measuring_commands_have_the_documented_shapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = rows(tmp_path, RIGHT, WRONG)
    chosen = ("-m", "exact_match", "--no-store")
    assert set(written("run", data, *chosen)) == documented("ragstone run")
    expected = written("run", data, *chosen, "--estimate")
    assert set(expected) == {
        *["judge", "cases", "sampled", "rejected", "batch", "calls", "input_tokens", "output_tokens", "cost"]
    }
    assert invoke("gate", data, *chosen, "--update").exit_code in (0, 1)
    gate = written("gate", data, *chosen)
    assert set(gate) == documented("ragstone gate")
    assert set(gate["comparison"]) == documented("ragstone compare")
    exam = written("exam", "--judge", "local", "--limit", 2, "--no-store", "-q")
    assert set(exam) == documented("ragstone exam")
    cases = rows(tmp_path, *labelled(40), name="labelled.jsonl")
    tuned = written("tune", METRIC, "--labels", cases, "--judge", TOPIC_JUDGE, "-q")
    assert set(tuned) == documented("ragstone tune")


def test_lists_have_the_documented_shapes() -> None:
    judges = written("judges")
    assert set(judges[0]) == documented("ragstone judges")
    metrics = written("metrics")
    assert set(metrics) == documented("ragstone metrics")
    one = documented("ragstone metrics", "| key of a metric |")
    assert all(set(metric) == one for metric in metrics["metrics"])
    assert written("metrics", "faithfulness") in metrics["metrics"]
    assert all(set(entry) == {"value", "from"} for entry in written("config").values())


def test_watch_push_draft_and_review_have_the_documented_shapes(tmp_path: Path) -> None:
    plan, where = tmp_path / "watch.toml", ("--store", tmp_path / "runs.sqlite3")
    plan.write_text(f'metrics = ["{PLANNED}"]\n[unit]\nsettle = 0\n')
    watch = written("watch", plan, "--once", *where, "--trust")
    assert set(watch) == documented("ragstone watch")
    traced = {**RIGHT, "metadata": {"traceparent": f"00-{1:032x}-{1:016x}-01"}}
    done = invoke("run", rows(tmp_path, traced), "-m", "exact_match", *where, "-q")
    assert done.exit_code == 0, done.stderr
    with serving(PhoenixServer()) as server:
        pushed = written("push", "last", "--to", "phoenix", "--endpoint", server.url, *where)
    assert set(pushed) == documented("ragstone push")
    assert pushed["sent"] == 1
    folder = tmp_path / "docs"
    folder.mkdir()
    path = drafted(folder)
    assert set(written("review", path)) == documented("ragstone review")
    figures = json.loads(next(folder.glob("*.figures.json")).read_text(encoding="utf-8"))
    assert set(figures) == documented("ragstone draft")


@for_each(
    "words, problem",
    [
        (("run", "demo", "--json", "-o", "-"), "both write to standard output"),
        (("draft", ".", "--no-llm", "--estimate", "--json"), "drafts nothing"),
    ],
)
def test_json_with_another_use_of_standard_output_is_refused(words: tuple[str, ...], problem: str) -> None:
    done = invoke(*words)
    assert done.exit_code == 2
    assert problem in done.stderr


def test_every_command_that_takes_json_is_on_the_page() -> None:
    found = {name for name in COMMANDS if "--json" in invoke(name, "--help").stdout}
    assert found == {*re.findall(r"^## ragstone (\w+)", PAGE, re.MULTILINE)} | {"demo"}
