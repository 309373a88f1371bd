"""A sweep: settings that are worse are dropped, nothing is asked twice, the result is shown again from the store."""

import json
import random
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from tests.api.test_application_run import Downfall, stopping_after
from tests.cli.command import invoke, rows, started
from tests.cli.test_json_shapes import documented
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from ragstone import sweep
from ragstone.api._sweep_grid import find_sweep, read_grid
from ragstone.errors import BadOption, UsageError
from ragstone.event import Answered
from ragstone.findings.sweep import SweepReport, sweep_report
from ragstone.judges import LLMJudge
from ragstone.metrics import ExactMatch
from ragstone.providers import OpenAI
from ragstone.store import open_store

QUESTIONS = [{"input": f"Question {n}?", "expected_output": f"Answer {n}."} for n in range(100)]
GRID = {"top_k": [1, 5, 10], "rerank": [False, True]}
METRICS = [ExactMatch()]


class Retriever:
    """Answers 40 % of the questions with the one best passage, and 90 % with more.

    Attributes:
        asked: the questions that each setting was asked, in order.
    """

    def __init__(self, broken: int | None = None) -> None:
        self.asked: dict[tuple[int, bool], list[str]] = defaultdict(list)
        self.broken = broken

    def answer(self, question: str, *, top_k: int, rerank: bool = False) -> dict[str, Any]:
        if top_k == self.broken:
            raise ConnectionError("no index")
        self.asked[top_k, rerank].append(question)
        number = question.removeprefix("Question ").rstrip("?")
        found = random.Random(number).random() < (0.4 if top_k == 1 else 0.9)
        return {"answer": f"Answer {number}." if found else "No.", "cost": 0.001 * top_k + 0.002 * rerank}


def states(report: SweepReport) -> dict[str, str]:
    return {cell.name: cell.state for cell in report.cells}


def test_worse_settings_are_dropped_early_and_the_others_get_all_questions(tmp_path: Path) -> None:
    retriever, questions = Retriever(), QUESTIONS[:60]
    options: dict[str, Any] = {"store": tmp_path / "runs.sqlite3", "app_concurrency": 1}
    report = sweep(questions, GRID, METRICS, app=retriever, **options)
    assert Counter(states(report).values()) == {"left": 4, "dropped": 2}
    assert {cell.name for cell in report.cells if cell.state == "dropped"} == {
        "top_k=1 rerank=false",
        "top_k=1 rerank=true",
    }
    order = retriever.asked[5, False]
    assert sorted(order) == sorted(row["input"] for row in questions)
    assert all(asked == order[: len(asked)] for asked in retriever.asked.values())
    assert len(retriever.asked[1, False]) == 30
    assert report.answers == sum(map(len, retriever.asked.values()))
    assert report.all_answers == 360
    text = " ".join(report.to_markdown().split())
    assert "4 of 6 settings cannot be told apart: top\\_k=5 rerank=false" in text
    assert "The cheapest of them is top\\_k=5 rerank=false, which also has the highest mean." in text
    assert report.exit_code == 0


def test_each_setting_is_a_run_in_the_store_and_the_sweep_is_shown_again(store_url: str) -> None:
    report = sweep(
        QUESTIONS[:50], GRID, METRICS, app=Retriever(), store=store_url, name="tries", tags=("nightly",)
    )
    store = open_store(store_url)
    runs = {stored.run.plan.name: stored for stored in store.runs()}
    best = runs["tries top_k=5 rerank=false"]
    assert best.run.plan.tags == ("nightly", "sweep=tries")
    assert best.run.plan.app_settings == ("top_k=5", "rerank=false")
    assert (best.state, len(store.cases(best))) == ("complete", 50)
    again = sweep_report(*find_sweep(store, "last"))
    assert again.to_json() == report.to_json()
    assert again.to_html() == report.to_html()


@pytest.mark.parametrize("after", [0, 40, 100])
def test_resumed_sweep_asks_nothing_twice_and_has_the_same_result(tmp_path: Path, after: int) -> None:
    retriever, grid = Retriever(), {"top_k": [1, 5, 10]}
    options: dict[str, Any] = {"app": retriever, "store": tmp_path / "runs.sqlite3", "app_concurrency": 1}
    with pytest.raises(Downfall):
        sweep(
            QUESTIONS[:60], grid, METRICS, name="cut", listeners=[stopping_after(after, Answered)], **options
        )
    report = sweep(QUESTIONS[:60], grid, METRICS, resume="last", **options)
    assert states(report) == {"top_k=1": "dropped", "top_k=5": "left", "top_k=10": "left"}
    assert report.plan.name == "cut"
    assert all(len({*questions}) == len(questions) for questions in retriever.asked.values())
    assert report.answers == sum(map(len, retriever.asked.values()))


def test_setting_whose_application_gives_no_answer_is_told_and_the_others_are_compared(
    tmp_path: Path,
) -> None:
    report = sweep(
        QUESTIONS[:50], {"top_k": [1, 5, 10]}, METRICS, app=Retriever(10), store=tmp_path / "runs.sqlite3"
    )
    assert states(report)["top_k=10"] == "failed"
    assert report.complete
    assert "times without an answer: ConnectionError: no index" in report.to_markdown()
    assert (
        "top\\_k=5 is the best: every other setting is shown to be worse, or gave no answer."
        in report.to_markdown()
    )


def test_equal_settings_cannot_be_told_apart(tmp_path: Path) -> None:
    report = sweep(
        QUESTIONS[:50],
        {"top_k": [5, 10, 20]},
        METRICS,
        app=Retriever(),
        store=tmp_path / "runs.sqlite3",
        app_repeats=2,
    )
    assert {*states(report).values()} == {"left"}
    text = report.to_markdown()
    assert "The 3 settings cannot be told apart. The cheapest of them is top\\_k=5" in text
    assert "show a difference to the leader of" in text
    assert (report.answers, report.all_answers) == (300, 300)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"app": None}, "a sweep needs app"),
        ({"store": False}, "a sweep keeps its runs in a store"),
        ({"error": 2.0}, "error=2.0 is no chance"),
        ({"objective": "faithfulness"}, "objective='faithfulness' is not measured: write one of exact_match"),
        ({"app_settings": ("top_k=3",)}, "top_k is in the grid too"),
        ({"resume": "none"}, "there is no sweep 'none'"),
        ({"app": lambda question: question}, "unexpected keyword argument 'top_k'"),
    ],
)
def test_sweep_that_cannot_run_is_refused_before_anything_is_asked(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    retriever = Retriever()
    with pytest.raises(UsageError, match=message):
        sweep(QUESTIONS, GRID, METRICS, **{"app": retriever, "store": tmp_path / "runs.sqlite3", **options})
    assert not retriever.asked


def test_row_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    broken = [*QUESTIONS[:3], {"expected_output": "No question."}]
    with pytest.raises(UsageError, match="a sweep asks all settings all questions"):
        sweep(broken, GRID, METRICS, app=Retriever(), store=tmp_path / "runs.sqlite3")


def test_sweep_is_continued_as_it_was_started(tmp_path: Path) -> None:
    options: dict[str, Any] = {"app": Retriever(), "store": tmp_path / "runs.sqlite3"}
    sweep(QUESTIONS[:10], GRID, METRICS, name="tries", **options)
    with pytest.raises(BadOption, match="there is a sweep 'tries' already"):
        sweep(QUESTIONS[:10], GRID, METRICS, name="tries", **options)
    with pytest.raises(BadOption, match="was started with other settings"):
        sweep(QUESTIONS[:10], {"top_k": [1, 2]}, METRICS, resume="tries", **options)
    with pytest.raises(BadOption, match="was started with other questions"):
        sweep(QUESTIONS[:12], GRID, METRICS, resume="tries", **options)
    with pytest.raises(BadOption, match="was started with other questions"):
        sweep(QUESTIONS[1:11], GRID, METRICS, resume="tries", **options)
    with pytest.raises(BadOption, match="was started with other metrics"):
        sweep(QUESTIONS[:10], GRID, "chrf", resume="tries", **options)
    with pytest.raises(BadOption, match="was started with the judge 'local', now"):
        sweep(QUESTIONS[:10], GRID, METRICS, resume="tries", judge=lambda prompt: prompt, **options)


def test_budget_is_that_of_the_whole_sweep(tmp_path: Path) -> None:
    script = Script(statements=["It is tall."], verdicts=every({"reason": "r", "verdict": "yes"}))
    with OpenAIServer(script) as server:
        provider = OpenAI(model="judge", base_url=server.base_url, api_key=server.key)
        judge = LLMJudge(provider=provider, prices={"judge": (1.0, 1.0, 1.0)})
        options: dict[str, Any] = {"app": Retriever(), "judge": judge, "concurrency": 1}
        options |= {"store": tmp_path / "runs.sqlite3", "app_concurrency": 1}
        given = (QUESTIONS[:6], {"top_k": [5, 10]}, "answer_relevancy")
        whole = sweep(*given, **options)
        assert whole.cost is not None
        asked = len(server.requests)
        assert whole.judge_calls == asked
        cut = sweep(*given, name="cut", max_cost=0.75 * whole.cost, **options)
        assert (cut.complete, cut.exit_code) == (False, 3)
        assert "are spent" in cut.stopped
        assert 0.4 * whole.cost < (cut.cost or 0.0) <= 0.75 * whole.cost
        rest = sweep(*given, resume="cut", max_cost=2 * whole.cost, **options)
        assert rest.complete
        assert len(server.requests) == 2 * asked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("top_k = [1]", "has 1 settings"),
        ("top_k = []", "give a list of different values"),
        ("top_k = [1, 1]", "give a list of different values"),
        ("top_k = [2026-01-01]", "'top_k' = .*: give a name that is"),
        ("top-k = [1, 2]", "setting 'top-k'"),
        ("a = [1,2,3,4,5,6]\nb = [1,2,3,4,5,6]\nc = [1,2,3,4,5,6]", "has 216 settings"),
        ("top_k = [", r"grid .*grid.toml: .*Write a TOML file"),
    ],
)
def test_grid_that_cannot_be_read_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "grid.toml").write_text(text)
    with pytest.raises(BadOption, match=message):
        read_grid(tmp_path / "grid.toml")


APPLICATION = """
import asyncio, random
from pathlib import Path

LOG = Path(__file__).with_name("asked.txt")

async def answer(question, top_k):
    with LOG.open("a") as log:
        log.write(f"{top_k} {question}\\n")
    await asyncio.sleep(0.002)
    found = random.Random(question).random() < (0.3 if top_k == 1 else 0.9)
    return question.replace("Question", "Answer").replace("?", ".") if found else "No."
"""


@pytest.fixture
def command(tmp_path: Path) -> tuple[object, ...]:
    (tmp_path / "toy_sweep.py").write_text(APPLICATION)
    (tmp_path / "grid.toml").write_text("top_k = [1, 5, 10]\n")
    data = rows(tmp_path, *QUESTIONS)
    options = ("--app", "toy_sweep:answer", "-m", "exact_match", "--store", tmp_path / "runs.sqlite3")
    return ("sweep", tmp_path / "grid.toml", data, *options)


def test_killed_sweep_repeats_no_more_than_what_was_in_flight(
    tmp_path: Path, command: tuple[object, ...]
) -> None:
    log, at_once, kills = tmp_path / "asked.txt", 4, 3

    def asked() -> list[str]:
        return log.read_text().split("\n")[:-1] if log.exists() else []

    for number in range(kills):
        process = started(*command, "-q", *(("--resume", "last") if number else ()), cwd=tmp_path)
        goal, deadline = len(asked()) + (20, 60, 45)[number], time.monotonic() + 60
        while len(asked()) < goal and time.monotonic() < deadline:
            time.sleep(0.001)
        process.kill()
        process.communicate()
    last = started(*command, "-q", "--resume", "last", cwd=tmp_path)
    last.communicate()
    assert last.returncode == 0
    report = sweep_report(*find_sweep(open_store(tmp_path / "runs.sqlite3"), "last"))
    assert states(report) == {"top_k=1": "dropped", "top_k=5": "left", "top_k=10": "left"}
    times = Counter(asked())
    assert len(times) == report.answers
    assert sum(times.values()) - len(times) <= kills * at_once


def test_command_estimates_runs_and_shows_a_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    bounds = invoke(*command, "--estimate")
    assert "3 settings, 100 questions, in rungs of 25, 50, 100:\n75 to 300 answers" in bounds.stdout
    done = invoke(*command, "--json", "--limit", "60", "--name", "tries")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["rungs"], found["answers"]) == ([30, 60], 150)
    assert set(found) == documented("ragstone sweep")
    assert "rung 1 of 2, setting 3 of 3, 30 questions: top_k=10" in done.stderr
    shown = invoke(
        "sweep", "--show", "tries", "--store", tmp_path / "runs.sqlite3", "-o", tmp_path / "sweep.html"
    )
    assert "2 of 3 settings cannot be told apart: top_k=5; top_k=10." in " ".join(shown.stdout.split())
    assert '<circle cx="' in (tmp_path / "sweep.html").read_text()
    assert invoke("sweep", "--show", "tries", tmp_path / "grid.toml").exit_code == 2
    assert invoke("sweep", tmp_path / "grid.toml").exit_code == 2
