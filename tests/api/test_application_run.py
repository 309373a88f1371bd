"""A run whose answers come from an application: asked once, kept, resumed after any end; its failures are no scores."""

import logging
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.applications.servers import ApplicationServer
from tests.cli.command import invoke, rows, started
from tests.testing.for_each import for_each

from ragstone import Report, evaluate
from ragstone.errors import BadOption, MissingField
from ragstone.event import Answered, Event
from ragstone.findings.stored import stored_report
from ragstone.metrics import ExactMatch, HitRate
from ragstone.store import open_store

QUESTIONS = [{"input": f"Question {number}?", "expected_output": f"Answer {number}."} for number in range(12)]
METRICS = [ExactMatch()]
KILLS = 5


class Toy:
    """Answers questions by their number; fails or hangs on some.

    Attributes:
        asked: how often each question was asked.
    """

    def __init__(self, broken: set[int] = frozenset(), **reply: Any) -> None:  # type: ignore[assignment]
        self.asked: Counter[str] = Counter()
        self.broken = broken
        self.reply = reply

    def answer(self, question: str) -> dict[str, Any]:
        self.asked[question] += 1
        number = int(re.findall(r"\d+", question)[0])
        if number in self.broken:
            raise ConnectionError(f"no index {number}")
        return {"answer": f"Answer {number}.", **self.reply}


def statuses(report: Report) -> Counter[str | None]:
    return Counter(result.status for results in report.results for result in results)


def test_answers_come_from_the_application_and_not_from_the_dataset() -> None:
    toy = Toy()
    report = evaluate([{**row, "answer": "stale"} for row in QUESTIONS], METRICS, app=toy)
    assert [case.actual_output for case in report.cases] == [row["expected_output"] for row in QUESTIONS]
    assert statuses(report) == {"passed": 12}
    assert set(toy.asked.values()) == {1}
    assert report.run.plan.app == "tests.api.test_application_run:Toy"
    assert all(case.metadata["latency_ms"] >= 0 for case in report.cases)


def test_failed_call_is_not_measured_with_the_error_of_the_application() -> None:
    report = evaluate(QUESTIONS, ["exact_match", "answer_relevancy"], app=Toy({3}))
    failed = report.results[3]
    assert [result.status for result in failed] == ["not_measured", "not_measured"]
    assert {result.error for result in failed} == {"ApplicationError: ConnectionError: no index 3"}
    assert report.summary()["ExactMatch"].mean == 1.0
    assert report.exit_code == 3


def test_run_without_any_answer_measures_nothing_and_says_why() -> None:
    report = evaluate(QUESTIONS[:4], METRICS, app=Toy({0, 1, 2, 3}))
    assert statuses(report) == {"not_measured": 4}
    assert report.exit_code == 3


def test_metrics_of_a_preset_that_the_answers_cannot_feed_are_left_out(store_url: str) -> None:
    report = evaluate(QUESTIONS, preset="rag", app=Toy(), store=store_url)
    assert "Faithfulness" not in report.summary()
    assert any("Faithfulness is left out" in note for note in report.run.notes)
    assert stored_report(report.run.id, store_url).run.plan == report.run.plan
    with_passages = evaluate(QUESTIONS[:1], preset="rag", app=Toy(contexts=["A passage."]))
    assert "Faithfulness" in with_passages.summary()


def test_metric_that_no_answer_can_feed_is_refused_before_the_application_is_asked() -> None:
    toy = Toy()
    with pytest.raises(MissingField, match="relevant_ids"):
        evaluate(QUESTIONS, [HitRate()], app=toy)
    assert not toy.asked


def test_application_without_any_answer_is_not_asked_to_the_end(store_url: str) -> None:
    toy = Toy(broken=set(range(12)))
    report = evaluate(QUESTIONS, METRICS, app=toy, app_concurrency=1, store=store_url)
    assert len(toy.asked) == 10
    assert (report.complete, len(report.cases), report.exit_code) == (False, 0, 3)
    assert "failed 10 times without an answer: ConnectionError: no index" in report.stopped
    toy.broken.clear()
    again = evaluate(QUESTIONS, METRICS, app=toy, store=store_url, resume=report.run.id, retry_failed=True)
    assert statuses(again) == {"passed": 12}


class Downfall(Exception):  # noqa: N818  (what happens, not what is wrong)
    pass


def stopping_after(count: int, kind: type[Event]) -> Callable[[Event], None]:
    seen = 0

    def listen(event: Event) -> None:
        nonlocal seen
        seen += isinstance(event, kind)
        if seen > count:
            raise Downfall

    return listen


@pytest.mark.parametrize("after", [0, 5, 11])
def test_resumed_run_asks_nothing_twice(store_url: str, after: int) -> None:
    toy = Toy()
    options: dict[str, Any] = {"app": toy, "app_concurrency": 1, "store": store_url}
    with pytest.raises(Downfall):
        evaluate(QUESTIONS, METRICS, listeners=[stopping_after(after, Answered)], **options)
    assert len(toy.asked) == after + 1
    report = evaluate(QUESTIONS, METRICS, resume="last", **options)
    assert statuses(report) == {"passed": 12}
    assert set(toy.asked.values()) == {1}
    assert [case.actual_output for case in report.cases] == [row["expected_output"] for row in QUESTIONS]


def test_retried_failures_are_asked_again_and_nothing_else(store_url: str) -> None:
    toy = Toy({2, 7})
    report = evaluate(QUESTIONS, METRICS, app=toy, store=store_url)
    assert statuses(report) == {"passed": 10, "not_measured": 2}
    toy.broken = {7}
    again = evaluate(QUESTIONS, METRICS, app=toy, store=store_url, resume="last", retry_failed=True)
    assert statuses(again) == {"passed": 11, "not_measured": 1}
    assert {question for question, times in toy.asked.items() if times == 2} == {"Question 2?", "Question 7?"}
    assert open_store(store_url).line(open_store(store_url).find("last")).progress.done == 12


def test_run_is_resumed_with_its_own_application_only(store_url: str) -> None:
    evaluate(QUESTIONS, METRICS, app=Toy(), store=store_url)
    with pytest.raises(BadOption, match="give it again with --app"):
        evaluate(QUESTIONS, METRICS, store=store_url, resume="last")
    with pytest.raises(BadOption, match="was started with the application"):
        evaluate(QUESTIONS, METRICS, app=lambda question: question, store=store_url, resume="last")


@for_each("options", [{"app_repeats": 2}, {"app_map": ("answer=text",)}])
def test_option_of_the_application_needs_one(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="has an effect only with app"):
        evaluate([{**QUESTIONS[0], "answer": "a"}], METRICS, **options)


def test_repeated_answers_are_test_cases_grouped_by_their_question(store_url: str) -> None:
    toy = Toy()
    report = evaluate(QUESTIONS, METRICS, app=toy, app_repeats=3, store=store_url)
    assert set(toy.asked.values()) == {3}
    assert len(report.cases) == 36
    first = report.cases[0].metadata["question"]
    assert [case.id for case in report.cases[:3]] == [f"{first}/{number}" for number in (1, 2, 3)]
    assert report.summary()["ExactMatch"].groups == 12


def test_deleted_run_leaves_no_answer_behind(store_url: str) -> None:
    store = open_store(store_url)
    for _ in range(2):
        evaluate(QUESTIONS[:3], METRICS, app=Toy({1}), store=store)
    first, second = store.runs()
    store.delete(first)
    assert len(list(store.answers(first))) == 0
    assert len(list(store.answers(second))) == 3
    store.delete(second)
    with store._engine.connect() as connection:
        for table in ("answers", "cases"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0  # noqa: S608


def test_faults_of_an_http_application_in_the_report(tmp_path: Path) -> None:
    """Slow, broken, hanging, HTML instead of JSON: each is told, none is a score."""
    odd = {3: "hang", 5: "html", 8: "broken"}
    data = rows(tmp_path, *({**QUESTIONS[0], "input": f"{odd.get(n, 'ask')} {n}"} for n in range(20)))
    with ApplicationServer(pace=0.01) as server:
        arguments = ("--app", server.url, "--app-timeout", "1", "-m", "exact_match", "--no-store")
        done = invoke("run", data, *arguments, "--app-concurrency", "8")
    assert done.exit_code == 3
    text = " ".join(done.stdout.split())
    assert "n 17 · not measured 3" in text
    for told in (
        "ApplicationError",
        "is not JSON but begins with",
        "no answer within 1 s",
        "Internal Server Error",
    ):
        assert told in text
    assert set(server.asked.values()) == {1}


APPLICATION = """
import asyncio, os, random
from pathlib import Path

LOG = Path(__file__).with_name("asked.txt")

async def answer(question):
    with LOG.open("a") as log:
        log.write(question + "\\n")
    await asyncio.sleep(random.uniform(0.002, 0.03))
    return {"answer": question.replace("Question", "Answer").replace("?", ".")}
"""


def test_killed_run_repeats_no_more_than_what_was_in_flight(tmp_path: Path) -> None:
    """Killed again and again at a random moment, at concurrency 16: every question is answered once in the end."""
    count, at_once = 60 * KILLS, 16
    data = rows(
        tmp_path, *({"input": f"Question {n}?", "expected_output": f"Answer {n}."} for n in range(count))
    )
    (tmp_path / "toy_kill.py").write_text(APPLICATION)
    log, chance = tmp_path / "asked.txt", random.Random(3)
    command = (
        "run",
        data,
        "--app",
        "toy_kill:answer",
        "--app-concurrency",
        at_once,
        "-m",
        "exact_match",
        "-q",
    )
    command = (*command, "--store", tmp_path / "runs.sqlite3")
    for number in range(KILLS):
        before = _asked(log)
        resume = ("--resume", "last") if number else ()
        process = started(*command, *resume, cwd=tmp_path)
        goal, deadline = before + chance.randint(1, 50), time.monotonic() + 60
        while _asked(log) < goal and time.monotonic() < deadline:
            time.sleep(0.001)
        process.kill()
        process.communicate()
    before = _asked(log)
    last = started(*command, "--resume", "last", cwd=tmp_path)
    last.communicate()
    assert last.returncode == 0
    report = stored_report("last", tmp_path / "runs.sqlite3")
    times = Counter(log.read_text().split("\n")[:-1])
    assert len(times) == count
    repeated = sum(times.values()) - count
    assert repeated <= KILLS * at_once
    assert statuses(report) == {"passed": count}
    assert [case.input for case in report.cases] == [f"Question {n}?" for n in range(count)]
    logging.getLogger(__name__).info("%d questions, %d calls", count, sum(times.values()))


def test_interrupted_run_says_how_to_go_on_and_asks_only_the_rest(tmp_path: Path) -> None:
    data = rows(
        tmp_path, *({"input": f"Question {n}?", "expected_output": f"Answer {n}."} for n in range(80))
    )
    (tmp_path / "toy_stop.py").write_text(APPLICATION)
    log = tmp_path / "asked.txt"
    command = (
        "run",
        data,
        "--app",
        "toy_stop:answer",
        "-m",
        "exact_match",
        "--store",
        tmp_path / "runs.sqlite3",
    )
    process = started(*command, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while _asked(log) < 20 and time.monotonic() < deadline:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert "to continue, run the same command with --resume" in str(told)
    before = _asked(log)
    last = started(*command, "--resume", "last", "-q", cwd=tmp_path)
    last.communicate()
    assert last.returncode == 0
    assert before < 80
    assert _asked(log) <= 80 + 4
    assert statuses(stored_report("last", tmp_path / "runs.sqlite3")) == {"passed": 80}


def _asked(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0
