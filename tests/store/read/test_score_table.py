"""A run's scores without what explains them are the scores of the whole, in SQLite and in PostgreSQL."""

from ragstone import TestCase
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
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


def test_an_outline_is_the_run_without_its_reasons(store_url: str) -> None:
    store = open_store(store_url)
    stored = kept(store)
    score_table = store.score_table(stored)
    assert score_table.indices == [0, 1, 4] == store.table(stored).indices(CaseQuery())
    assert [case.id for case in score_table.cases] == [case.id for case in store.cases(stored)]
    whole = [
        [(one.metric, one.spec, one.score, one.success, one.threshold, one.higher_is_better) for one in row]
        for row in store.results(stored)
    ]
    assert [[one[:6] for one in row] for row in score_table.results] == whole


def test_long_questions_are_told_apart_by_all_of_their_words(store_url: str) -> None:
    store = open_store(store_url)
    score_table = store.score_table(kept(store))
    short, long = score_table.cases[0].input, score_table.cases[2].input
    assert short == "q0"
    assert long.startswith("long long")
    assert len(long) < 600


def test_every_place_is_listed_in_the_order_that_is_asked_for(store_url: str) -> None:
    store = open_store(store_url)
    assert store.table(kept(store)).indices(CaseQuery(sort="score", descending=True, limit=1)) == [4, 1, 0]
