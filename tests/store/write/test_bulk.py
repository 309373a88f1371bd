"""Many rows in one statement, in each kind of database."""

from pathlib import Path
from typing import Any

from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.store import CaseQuery, Store, open_store
from ragstone.store.schema.tables import CASES
from ragstone.store.write.bulk import insert_rows, padded


def row(number: int, **values: Any) -> dict[str, Any]:
    return {
        "key": f"{number:032}",
        "case_id": "i",
        "name": None,
        "input": "ü\u2028'\"\\",
        "body": "{}",
    } | values


def test_insert_rows_writes_each_key_once(store_url: str) -> None:
    with open_store(store_url)._engine.begin() as connection:
        assert insert_rows(connection, CASES, [row(number) for number in range(500)]) == 500
        assert insert_rows(connection, CASES, [row(499, input="changed"), row(500)]) == 1
        found = connection.execute(CASES.select().order_by(CASES.c.key)).mappings().all()
    assert [each["key"] for each in found] == [f"{number:032}" for number in range(501)]
    assert {each["input"] for each in found} == {"ü\u2028'\"\\"}
    assert {each["name"] for each in found} == {None}


def test_insert_rows_accepts_no_rows(store_url: str) -> None:
    with open_store(store_url)._engine.begin() as connection:
        assert insert_rows(connection, CASES, []) == 0


@for_each("count, length", [(1, 1), (2, 2), (3, 4), (5, 8), (256, 256)])
def test_padded_rounds_lengths_up_to_powers_of_two(count: int, length: int) -> None:
    found = padded(range(count))
    assert len(found) == length
    assert sorted({*found}) == list(range(count))


def finished(number: int, metric: int, score: float | None) -> MeasurementFinished:
    case = TestCase(input=f"q{number}", actual_output="a", id=str(number))
    result = Result(
        metric=f"M{metric}", score=score, success=score == 1.0, error=None if score is not None else "x"
    )
    return MeasurementFinished(number, metric, case, result)


def figures(store: Store) -> tuple[object, ...]:
    found = store.find("last")
    cases = store.table(found).page(CaseQuery()).lines
    line = store.line(found)
    return (
        [
            (each.case_index, each.passed, each.missed, each.not_measured, each.mean, each.shortfall)
            for each in cases
        ],
        [each.figure for each in line.metrics],
        line.progress.done,
        store.results(found).statuses(),
    )


def test_repeated_batches_are_counted_once(store_url: str, tmp_path: Path) -> None:
    """As after a commit of unknown fate; the same results at once, in a store beside it, tell what must come out."""
    scores = [(0, 0, 1.0), (0, 1, 0.25), (1, 0, None), (1, 1, 1.0), (2, 0, 0.125)]
    events = [finished(*each) for each in scores]
    batches = [events[:2], events[:3], events[1:4], [events[4], events[4]], events]
    told = []
    for store, written in ((open_store(store_url), batches), (open_store(tmp_path / "x.sqlite3"), [events])):
        recorder = store.recorder()
        run = Run.begin(Plan(metrics=("m0", "m1"), judge="j"))
        recorder(RunStarted(run, 5))
        for batch in written:
            recorder._write(batch)
        recorder(RunFinished(run, complete=True))
        told.append(figures(store))
    assert told[0] == told[1]
    assert told[0][2:] == (5, {"passed", "missed", "not_measured"})
