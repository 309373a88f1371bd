"""What pages over runs ask of a store, in SQLite and in PostgreSQL."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ragstone import TestCase
from ragstone.errors import UsageError
from ragstone.event import JudgeCalled, MeasurementFinished, RunFinished, RunStarted
from ragstone.result import NO_USAGE, Result, Usage
from ragstone.run import Plan, Run
from ragstone.store import CaseQuery, RunQuery, Store, StoredRun, Target, by_target, open_store, trends
from ragstone.store.read import runs
from ragstone.store.write import lease
from ragstone.store.write.recorder import Recorder

METRICS = ("faithfulness", "hallucination")


def result(metric: str, score: float | None, case: TestCase) -> Result:
    higher = metric == "faithfulness"
    success = score is not None and (score >= 0.5 if higher else score <= 0.5)
    return Result(
        metric=metric.title(),
        spec=metric,
        score=score,
        success=success,
        higher_is_better=higher,
        error=None if score is not None else "JudgeError: no answer",
        usage=Usage(calls=1, input_tokens=10, output_tokens=2),
        evaluation_cost=0.25,
        latency_ms=100 * (score or 0),
        case_id=case.id,
    )


def kept(
    store: Store, scores: list[tuple[float | None, float | None]], *, answer: str = "a", **plan: object
) -> StoredRun:
    """Keep a run of so many test cases, with a score of faithfulness and of hallucination each."""
    run = Run.begin(Plan(metrics=METRICS, judge="local", **plan))  # type: ignore[arg-type]
    recorder = store.recorder()
    recorder(RunStarted(run, 2 * len(scores)))
    for index, pair in enumerate(scores):
        case = TestCase(
            input=f"Frage {index}: Größe?",
            actual_output=f"{answer} {index}",
            retrieval_context=(f'a "Passage of {index}"',),
            metadata={"team": ("red", "blue", "green")[index % 3], "year": 2020 + index},
            tags=(f"t{index % 2}",),
        )
        for metric_index, (metric, score) in enumerate(zip(METRICS, pair, strict=True)):
            recorder(MeasurementFinished(index, metric_index, case, result(metric, score, case)))
    recorder(RunFinished(run, complete=True))
    return store.find(run.id)


@pytest.fixture
def store(store_url: str) -> Store:
    return open_store(store_url)


SCORES: list[tuple[float | None, float | None]] = [
    (1.0, 0.0),
    (0.25, 0.9),
    (0.4, 0.1),
    (None, 0.2),
    (0.75, 0.6),
]


def places(store: Store, stored: StoredRun, query: CaseQuery) -> list[int]:
    page = store.table(stored).page(query)
    assert page.count >= len(page.lines)
    return [line.case_index for line in page.lines]


def test_run_line_has_progress_and_metric_figures(store: Store) -> None:
    stored = kept(store, SCORES, name="first", tags=("nightly", 'q"uote'))
    line = store.line(stored)
    assert (line.name, line.tags, line.judge) == ("first", ("nightly", 'q"uote'), "local")
    assert (line.progress.state, line.progress.done, line.progress.total) == ("complete", 10, 10)
    assert (line.progress.share, line.progress.remaining, line.cost) == (1.0, None, 2.5)
    faithfulness = line.metrics[0]
    figure = faithfulness.figure
    assert (figure.passed, figure.missed, figure.not_measured) == (2, 2, 1)
    assert (figure.mean, figure.pass_rate, figure.n) == (pytest.approx(0.6), 0.5, 4)
    exact = store.figures(stored).metrics[0].figure()
    for interval, of_sums in ((exact.interval, figure.interval), (exact.pass_interval, figure.pass_interval)):
        assert (of_sums.low, of_sums.high) == (pytest.approx(interval.low), pytest.approx(interval.high))
    assert (faithfulness.calls, faithfulness.input_tokens) == (5, 50)


def test_run_query_filters_by_name_tag_judge_and_date(store: Store) -> None:
    first = kept(store, SCORES, name="Größe 100%", tags=("a",), dataset="x.jsonl").run.id
    second = kept(store, SCORES[:2], name="other", tags=("b",), dataset="y.csv").run.id
    today, day = datetime.now(UTC).date(), timedelta(days=1)
    for query, found in (
        (RunQuery(), [second, first]),
        (RunQuery(text="100%"), [first]),
        (RunQuery(text="OTHER"), [second]),
        (RunQuery(name="other"), [second]),
        (RunQuery(tag="a"), [first]),
        (RunQuery(judge="LOC", dataset=".csv"), [second]),
        (RunQuery(metric="Halluc"), [second, first]),
        (RunQuery(metric="bias"), []),
        (RunQuery(since=today - day, until=today), [second, first]),
        (RunQuery(since=today + day), []),
        (RunQuery(until=today - day), []),
        (RunQuery(state="complete"), [second, first]),
        (RunQuery(state="running"), []),
        (RunQuery(state="silent"), []),
        (RunQuery(limit=1), [second]),
        (RunQuery(limit=1, offset=1), [first]),
    ):
        assert [line.id for line in store.history(query).lines] == found, query
    assert store.history(RunQuery(limit=1)).count == 2
    points = trends(store.history().lines)["faithfulness"]
    assert [point.run.id for point in points] == [first, second]
    assert points[1].metric.figure.mean == pytest.approx(0.625)


def test_stored_figures_equal_the_report(store: Store) -> None:
    from ragstone.findings.stored import report_from_store  # noqa: PLC0415  (what the figures must agree with)

    stored = kept(store, SCORES)
    figures, report = store.figures(stored), report_from_store(store, stored)
    for metric in figures.metrics:
        mine, its = metric.figure(), report.summary()[metric.line.metric]
        assert (mine.n, mine.not_measured, mine.pass_interval) == (its.n, its.not_measured, its.pass_interval)
        assert (mine.mean, mine.interval.high) == pytest.approx((its.mean, its.interval.high))
    assert [list(metric.scores) for metric in figures.metrics][1] == [0.0, 0.1, 0.2, 0.6, 0.9]
    assert figures.metrics[0].histogram(4) == [0, 2, 0, 2]
    assert [metric.higher_is_better for metric in figures.metrics] == [True, False]
    assert figures.latency_ms[0.5] == pytest.approx(25.0)
    assert figures.latency_ms[0.99] == pytest.approx(100.0)


def test_figures_agree_where_results_arrived_after_the_run_was_read(store: Store) -> None:
    late = store.figures(kept(store, SCORES)).metrics[0]
    early = store.line(kept(store, SCORES[:1])).metrics[0]
    assert replace(late, line=early).figure().n == late.figure().n == 4


def test_cases_are_filtered_sorted_searched_and_paged(store: Store) -> None:
    stored = kept(store, SCORES)
    for query, found in (
        (CaseQuery(), [0, 1, 2, 3, 4]),
        (CaseQuery(descending=True), [4, 3, 2, 1, 0]),
        (CaseQuery(sort="worst"), [1, 2, 4, 3, 0]),
        (CaseQuery(sort="score", metric="faithfulness"), [1, 2, 4, 0, 3]),
        (CaseQuery(sort="score", metric="bias"), [0, 1, 2, 3, 4]),
        (CaseQuery(status="missed", sort="score", sort_metric="hallucination", descending=True), [1, 4, 2]),
        (CaseQuery(text="T1"), [1, 3]),
        (CaseQuery(text="passage of 2"), [2]),
        (CaseQuery(text="retrieval_context"), []),
        (CaseQuery(metadata="team=red"), [0, 3]),
        (CaseQuery(metadata="year=2021"), [1]),
        (CaseQuery(metadata="year=202"), []),
        (CaseQuery(metadata="year"), [0, 1, 2, 3, 4]),
        (CaseQuery(sort="score", metric="hallucination", descending=True), [1, 4, 3, 2, 0]),
        (CaseQuery(sort="recent", descending=True, limit=2), [4, 3]),
        (CaseQuery(limit=2, offset=3), [3, 4]),
        (CaseQuery(status="missed"), [1, 2, 4]),
        (CaseQuery(status="not_measured"), [3]),
        (CaseQuery(status="passed"), [0]),
        (CaseQuery(status="missed", metric="hallucination"), [1, 4]),
        (CaseQuery(metric="faithfulness", low=0.3, high=0.8), [2, 4]),
        (CaseQuery(text="GRÖSSE"), [0, 1, 2, 3, 4]),
        (CaseQuery(text="a 3"), [3]),
        (CaseQuery(text="%"), []),
        (CaseQuery(tag="t1"), [1, 3]),
    ):
        assert places(store, stored, query) == found, query
    line = store.table(stored).page(CaseQuery(offset=3)).lines[0]
    assert (line.question, line.answer, line.tags) == ("Frage 3: Größe?", "a 3", ("t1",))
    assert [(cell.status, cell.score) for cell in line.cells.values()] == [
        ("not_measured", None),
        ("passed", 0.2),
    ]
    ranks = [store.table(stored).neighbours(index, CaseQuery(sort="worst")) for index in (1, 4, 0)]
    assert ranks == [(0, None, 2), (2, 2, 3), (4, 3, None)]
    assert store.table(stored).neighbours(3, CaseQuery(status="missed")) == (None, None, None)


def test_flipped_cases_are_found_despite_different_answers(store: Store) -> None:
    before = kept(store, SCORES, answer="old")
    after = kept(store, [(1.0, 0.0), (0.75, 0.9), (0.4, 0.1), (0.9, 0.2), (0.2, 0.6)], answer="new")
    assert places(store, after, CaseQuery(flipped_against=before.number)) == [1, 4]
    same = kept(store, [(0.1, 0.0), *SCORES[1:]], answer="old")
    assert places(store, same, CaseQuery(flipped_against=before.number)) == [0]


def test_changes_returns_results_after_a_serial(store: Store) -> None:
    stored = kept(store, SCORES)
    first = store.changes(stored, 0, limit=4)
    rest = store.changes(stored, first.serial)
    came = [(line.case_index, line.metric_index) for line in (*first.lines, *rest.lines)]
    assert came == [(index, metric) for index in range(5) for metric in range(2)]
    assert store.changes(stored, rest.serial).lines == ()
    assert rest.progress.serial == rest.serial
    assert first.lines[0].question == "Frage 0: Größe?"


def test_annotations_are_kept_per_annotator_and_can_be_changed(store: Store) -> None:
    stored, claim = kept(store, SCORES), Target("faithfulness", 1)
    quiet = store.change_marker(stored)
    said = store.annotations
    said.put(stored.number, 1, "ada", "yes", target=claim, claim="Water is wet.")
    said.put(stored.number, 1, "ada", "no", target=claim, claim="Water is wet.", note="It is not.")
    said.put(stored.number, 1, "bob", "idk", target=claim)
    said.put(stored.number, 0, "bob", "yes")
    both = by_target(said.of(stored.number))[1, claim]
    assert {name: word.verdict for name, word in both.items()} == {"ada": "no", "bob": "idk"}
    assert both["ada"].note == "It is not."
    assert both["ada"].updated >= both["ada"].created
    assert said.annotators(stored.number) == {"ada": 1, "bob": 2}
    assert places(store, stored, CaseQuery(annotated=True)) == [0, 1]
    assert places(store, stored, CaseQuery(annotated=False)) == [2, 3, 4]
    assert places(store, stored, CaseQuery(annotator="ada")) == [1]
    assert [line.annotations for line in store.table(stored).page(CaseQuery(limit=2)).lines] == [1, 2]
    assert store.change_marker(stored) != quiet
    assert store.case(stored, 1).annotations == tuple(said.of(stored.number, 1))
    assert said.remove(stored.number, 0, "bob")
    assert not said.remove(stored.number, 0, "bob")
    with pytest.raises(UsageError, match="'perhaps' is not a verdict"):
        said.put(stored.number, 1, "ada", "perhaps")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no measured test case 10"):
        said.put(stored.number, 9, "ada", "yes")


def test_case_has_judge_exchanges_and_errors(store: Store) -> None:
    run, case = Run.begin(Plan(metrics=METRICS, judge="local")), TestCase(input="q")
    recorder = store.recorder()
    recorder(RunStarted(run, None))
    exchange = Spoken("key", '{"response": "yes"}', "Is it? \x00")
    recorder(JudgeCalled("JudgeClaims", "local", Usage(calls=1), None, 12.0, case_index=0, exchange=exchange))
    recorder(
        JudgeCalled("JudgeClaims", "local", NO_USAGE, None, 13.0, error="JudgeError: away", case_index=0)
    )
    recorder(
        JudgeCalled(
            "RateAnswer", "local", NO_USAGE, None, 14.0, case_index=-1, exchange=Spoken("k2", "{}", "s")
        )
    )
    recorder(
        JudgeCalled(
            "RateAnswer", "local", NO_USAGE, None, 14.0, case_index=7, exchange=Spoken("k3", "{}", "o")
        )
    )
    recorder(MeasurementFinished(0, 1, case, result("hallucination", 0.5, case)))
    recorder(RunFinished(run, complete=False, why="stopped"))
    found = store.case(store.find(run.id), 0)
    assert (found.case, list(found.results)) == (case, [1])
    shared, failed, answered = found.exchanges
    assert (shared.asked_for, shared.request) == (-1, "s")
    assert (failed.error, failed.response, failed.latency_ms) == ("JudgeError: away", "", 13.0)
    assert (answered.request, answered.response) == ("Is it? \ufffd", '{"response": "yes"}')
    with pytest.raises(UsageError, match="no measured test case 2"):
        store.case(store.find(run.id), 1)


def test_run_without_heartbeat_becomes_silent(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.begin(Plan(metrics=METRICS, judge="local"))
    monkeypatch.setattr(lease, "EVERY", 0.05)
    recorder = store.recorder()
    recorder(RunStarted(run, 10))
    stored = store.find(run.id)
    first = store.change_marker(stored)
    while store.change_marker(stored) == first:  # nothing comes, but the heart beats
        time.sleep(0.02)
    assert (store.line(stored).progress.state, store.change_marker(stored).running) == ("running", 1)
    assert recorder._heartbeat is not None
    recorder._heartbeat.stop()
    monkeypatch.setattr(runs, "SILENT_AFTER", 0.0)
    monkeypatch.setattr(runs, "SILENT_AFTER", 0.0)
    assert (store.line(stored).progress.state, store.change_marker(stored).running) == ("silent", 0)
    assert [line.id for line in store.history(RunQuery(state="silent")).lines] == [run.id]
    assert store.history(RunQuery(state="running")).count == 0


def test_batch_written_again_is_counted_once(store: Store) -> None:
    run, case = Run.begin(Plan(metrics=METRICS, judge="local")), TestCase(input="q")
    recorder = store.recorder()
    recorder(RunStarted(run, 2))
    batch = [
        MeasurementFinished(0, 0, case, result("faithfulness", 0.75, case)),
        MeasurementFinished(1, 1, case, result("hallucination", 1.0, case)),
    ]
    with monkeypatched(recorder, "_insert"), pytest.raises(ZeroDivisionError):
        recorder._write(batch)
    assert store.line(store.find(run.id)).progress.done == 0
    recorder._write(batch)
    recorder._write([*batch, batch[0]])
    recorder(RunFinished(run, complete=False))
    line = store.line(store.find(run.id))
    assert (line.progress.done, [metric.figure.n for metric in line.metrics]) == (2, [1, 1])
    assert list(store.cases(store.find(run.id))) == [case, case]


@contextmanager
def monkeypatched(recorder: Recorder, name: str) -> Iterator[None]:
    """Let a step of writing fail, as a database that goes away does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorder, name, lambda *_: 1 / 0)
        yield


class Spoken:
    """A question and its answer."""

    def __init__(self, key: str, written: str, request: str) -> None:
        self.key, self.written, self.request = key, written, request


def test_baseline_names_a_run_and_can_be_moved_and_removed(store: Store) -> None:
    first, second = kept(store, SCORES[:1]), kept(store, SCORES[:1])
    store.baselines.put("main", first.number)
    store.baselines.put("main", second.number)
    assert [(found.name, found.run) for found in store.baselines.all()] == [("main", second.run.id)]
    assert store.line(second).baselines == ("main",)
    assert store.baselines.run("main") == second.run.id
    with pytest.raises(UsageError, match=r"no baseline 'mian'\. Existing baselines: main\."):
        store.baselines.run("mian")
    assert store.baselines.remove("main")
    assert not store.baselines.remove("main")


def test_deleting_a_run_keeps_cases_shared_with_others(store: Store) -> None:
    first, second = kept(store, SCORES), kept(store, SCORES[:2])
    store.annotations.put(first.number, 4, "ada", "yes")
    store.baselines.put("main", first.number)
    store.delete(first)
    assert [found.run.id for found in store.runs()] == [second.run.id]
    assert [case.actual_output for case in store.cases(second)] == ["a 0", "a 1"]
    assert (store.baselines.all(), store.annotations.of(first.number)) == ([], [])
    assert store.change_marker().runs == 1
    with pytest.raises(UsageError, match="is no longer in"):
        store.line(first)
    store.delete(second)
    assert store.change_marker() == (0, 0, 0, "", 0, "")


def test_forget_unmeasured_removes_failures_from_counts_and_pages(store: Store) -> None:
    stored = kept(store, SCORES)
    assert store.forget_unmeasured(stored) == 1
    line = store.line(stored)
    assert (line.metrics[0].figure.not_measured, line.metrics[0].figure.n, line.progress.done) == (0, 4, 9)
    assert list(store.table(stored).page(CaseQuery(offset=3)).lines[0].cells) == [1]
    assert places(store, stored, CaseQuery(status="not_measured")) == []


def test_comparable_runs_share_half_of_the_questions(store: Store) -> None:
    first = kept(store, [(0.5, 0.5)] * 6)
    smoke = kept(store, [(0.5, 0.5)] * 2)
    second = kept(store, [(0.5, 0.5)] * 6, answer="b")
    assert store.earlier_comparable(second) == first
    assert store.earlier_comparable(smoke) == first
    assert store.earlier_comparable(first) is None
    assert store.comparable(first, second)
    assert not store.comparable(second, smoke)
    ends = store.question_ends([store.line(run) for run in (first, smoke, second)])
    assert ends[first.number] == ends[second.number]
    assert [store.line(run).cases for run in (first, smoke)] == [6, 2]


def test_incomplete_run_is_no_baseline(store: Store) -> None:
    run = Run.begin(Plan(metrics=METRICS, judge="local"))
    recorder = store.recorder()
    recorder(RunStarted(run, 2))
    case = TestCase(input="Frage 0: Größe?", actual_output="a 0")
    recorder(MeasurementFinished(0, 0, case, result("faithfulness", 0.5, case)))
    recorder(RunFinished(run, complete=False))
    assert store.earlier_comparable(kept(store, [(0.5, 0.5)])) is None
