"""A run's scores without what explains them are the scores of the whole, in SQLite and in PostgreSQL."""

import numpy as np
import pytest
from tests.findings.comparison.one_by_one import figures, random_reports

from ragstone import Report, TestCase, compare
from ragstone.errors import NotInStore
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.findings.stored import report_from_store
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.store import CaseQuery, Store, StoredRun, open_store


def kept(store: Store) -> StoredRun:
    run = Run.begin(Plan(metrics=("a", "b"), judge="j"))
    recorder = store.recorder()
    recorder(RunStarted(run, None))
    for index in (0, 1, 4):  # as an interrupted run leaves gaps
        case = TestCase(input=f"{'long ' * 200 * (index == 4)}q{index}", id=f"c{index}")
        recorder(
            MeasurementFinished(
                index,
                0,
                case,
                Result(metric="A", spec="a", score=index / 4, success=index > 2, threshold=0.7),
            )
        )
        recorder(
            MeasurementFinished(
                index, 1, case, Result(metric="B", spec="b", error="x: y", higher_is_better=False)
            )
        )
    recorder(RunFinished(run, complete=False))
    return store.find(run.id)


def test_score_table_equals_the_stored_results(store_url: str) -> None:
    store = open_store(store_url)
    stored = kept(store)
    table = store.score_table(stored)
    assert table.indices.tolist() == [0, 1, 4] == store.table(stored).indices(CaseQuery())
    assert table.case_ids == [case.id for case in store.cases(stored)]
    for place, row in enumerate(store.results(stored)):
        for result in row:
            told = table.metrics[result.spec]
            assert (told.metric, told.spec, told.threshold, told.higher_is_better, told.passed[place]) == (
                *(result.metric, result.spec, result.threshold, result.higher_is_better, result.success),
            )
            assert result.score == (None if np.isnan(told.scores[place]) else told.scores[place])


def test_question_hashes_cover_the_whole_question(store_url: str) -> None:
    store = open_store(store_url)
    stored = kept(store)
    hashes = store.score_table(stored).question_hashes
    assert len({*hashes}) == 3
    short, long = store.cases(stored).beginnings([4, 0])[::-1]
    assert (short, len(long)) == ("q0", 500)


def test_values_are_read_by_their_case_index(store_url: str) -> None:
    store = open_store(store_url)
    stored = kept(store)
    assert [case.id for case in store.cases(stored).at([4, 0, 4])] == ["c4", "c0", "c4"]
    assert [row[0].case_id for row in store.results(stored).at([1])] == [store.results(stored)[1][0].case_id]
    with pytest.raises(NotInStore, match="Test case 4 is no longer in the store"):
        store.cases(stored).at([0, 3])


def test_score_table_is_none_for_other_test_cases(store_url: str) -> None:
    store = open_store(store_url)
    stored = kept(store)
    results, cases = store.results(stored), store.cases(stored)
    assert results.score_table(list(cases)) is None
    assert results.score_table(store.cases(kept(store))) is None
    assert results.score_table(cases) is not None


@pytest.mark.parametrize("seed", range(6))
def test_comparing_stored_runs_equals_comparing_reports(store_url: str, seed: int) -> None:
    store = open_store(store_url)
    reports = random_reports(seed)
    stored = [report_from_store(store, keep(store, report)) for report in reports]
    ours, theirs = compare(*reports), compare(*stored)
    assert figures(theirs) == figures(ours)
    assert figures(compare(reports[0], stored[1])) == figures(ours)


def keep(store: Store, report: Report) -> StoredRun:
    recorder = store.recorder()
    begun = report.run.model_copy(update={"id": Run.begin(report.run.plan).id})
    recorder(RunStarted(begun, None))
    for index, (case, row) in enumerate(zip(report.cases, report.results, strict=True)):
        for place, result in enumerate(row):
            recorder(MeasurementFinished(index, place, case, result))
    recorder(RunFinished(begun, complete=True))
    return store.find(begun.id)


def test_indices_follow_the_sort_order_and_ignore_limit(store_url: str) -> None:
    store = open_store(store_url)
    assert store.table(kept(store)).indices(CaseQuery(sort="score", descending=True, limit=1)) == [4, 1, 0]
