"""Writes the results of claimed traces in one transaction: runs, figures, the watch's state, the end of the claims.

Nothing is written under a claim that is no longer valid. So a trace that was judged twice, because a worker was killed
or slow, has one result.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, select, update

from ragstone.case import TestCase
from ragstone.event import JudgeCalled, MeasurementFinished
from ragstone.result import Result
from ragstone.run import Run
from ragstone.store.queue.claims import ClaimedUnit, end_claims
from ragstone.store.queue.scores import ASKED
from ragstone.store.queue.watch_state import STATE, lock_named, read_named, write_named
from ragstone.store.schema.tables import CASES, EXCHANGES, RESULTS, RUN_CASES, RUNS, WATCH_RESULTS, now
from ragstone.store.write.aggregates import (
    insert_into,
    insert_run_cases,
    update_run_cases,
    update_run_metrics,
)
from ragstone.store.write.bulk import Row, insert_rows
from ragstone.store.write.recorder import run_row
from ragstone.store.write.rows import case_row, exchange_row, result_row, run_case_row, storable_text

PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class JudgedUnit:
    """The results of a unit: a trace, a session, or a span of a trace.

    Attributes:
        unit: key of its scores: the claim's key; for a span, its trace and itself.
        results: one for each metric, in order; none before it is judged.
        judged_by: `all` or `sample`: the judge of all traces, or of some; `people`: the results are those of the judge
            of all, and people are asked.
        probability: probability with which it was sampled; 1 for the judge of all.
    """

    claimed: ClaimedUnit
    unit: str
    case: TestCase
    results: tuple[Result, ...] = ()
    exchanges: tuple[JudgeCalled, ...] = ()
    judged_by: str = "all"
    probability: float = 1.0


StateUpdate = Callable[[Mapping[str, Any], Sequence[JudgedUnit]], Mapping[str, Any]]
"""Returns the next state of the watch from its current state and the newly judged units."""


def settle(
    engine: Engine,
    watch: str,
    runs: Mapping[str, Run],
    judged: Sequence[JudgedUnit],
    *,
    update_state: StateUpdate,
    dead: Mapping[str, str],
) -> tuple[JudgedUnit, ...]:
    """Write the judged units, and end the claims; return the units that were written.

    `runs` are those that show the results of `all`, `sample` and `people`. `update_state` is called within the
    transaction, so once for each result that counts. `dead` holds the key of each claim to be given up, and the reason;
    its results that could not be measured are written as failed.
    """
    with engine.begin() as connection:
        claims = {unit.claimed.key: unit.claimed for unit in judged}
        successful = [claim for key, claim in claims.items() if key not in dead]
        valid = {claim.key for claim in end_claims(connection, successful)}
        for key, error in sorted(dead.items()):
            valid |= {claim.key for claim in end_claims(connection, [claims[key]], dead=True, error=error)}
        written = tuple(unit for unit in judged if unit.claimed.key in valid)
        _delete_earlier_figures(connection, watch, written)
        for judged_by, run in runs.items():
            run_units = [unit for unit in written if unit.judged_by == judged_by]
            if run_units:
                _write_units(connection, watch, run, run_units)
        if written:
            state = lock_named(connection, watch, STATE)
            write_named(connection, watch, STATE, update_state(state, written))
    return written


def read_state(engine: Engine, watch: str) -> Mapping[str, Any]:
    """Return the state of a watch; empty before it began."""
    return read_named(engine, watch, STATE)


def _write_units(connection: Connection, watch: str, run: Run, judged: Sequence[JudgedUnit]) -> None:
    count = sum(len(unit.results) for unit in judged)
    number, serial, first = _reserve_indices(connection, run, count)
    cases: list[Row] = []
    run_cases: list[Row] = []
    results: list[Row] = []
    exchanges: list[Row] = []
    figures: list[Row] = []
    for case_index, unit in enumerate(judged, first):
        case = case_row(unit.case)
        cases.append(case)
        run_cases.append(run_case_row(number, case_index, unit.case, case["key"]))
        for metric_index, result in enumerate(unit.results):
            event = MeasurementFinished(case_index, metric_index, unit.case, result)
            results.append({**result_row(number, event, case["key"]), "serial": serial + len(results)})
            figures.append(_figure_row(watch, unit, result, (number, case_index, metric_index)))
        exchanges += [exchange_row(number, replace(call, case_index=case_index)) for call in unit.exchanges]
    insert_rows(connection, CASES, list({row["key"]: row for row in cases}.values()))
    insert_run_cases(connection, run_cases)
    insert_rows(connection, EXCHANGES, exchanges)
    insert_rows(connection, RESULTS, results)
    update_run_cases(connection, number, range(first, first + len(judged)))
    update_run_metrics(connection, number, results)
    insert_rows(connection, WATCH_RESULTS, figures)


def _reserve_indices(connection: Connection, run: Run, count: int) -> tuple[int, int, int]:
    """Return the run's number, the first serial number and case index that are free; its row stays locked."""
    c = RUNS.c
    row = {**run_row(run), "state": "complete"}
    connection.execute(insert_into(connection, RUNS).on_conflict_do_nothing(), [row])
    done = c.done + count
    values = {"serial": c.serial + count, "done": done, "total": done, "heartbeat": now()}
    connection.execute(update(RUNS).where(c.id == run.id).values(**values))
    number, serial = connection.execute(select(c.number, c.serial).where(c.id == run.id)).one()
    last_query = select(func.max(RUN_CASES.c.case_index)).where(RUN_CASES.c.run == number)
    last_index = connection.execute(last_query).scalar()
    return number, serial - count + 1, 0 if last_index is None else last_index + 1


def _figure_row(watch: str, unit: JudgedUnit, result: Result, indices: tuple[int, int, int]) -> Row:
    number, case_index, metric_index = indices
    for_people = unit.judged_by == PEOPLE  # the result is another judge's: people have said nothing yet
    return {
        "watch": watch,
        "unit": storable_text(unit.unit),
        "judged_by": unit.judged_by,
        "metric_index": metric_index,
        "trace_id": unit.claimed.trace_id,
        "session": unit.claimed.session,
        "metric": storable_text(result.spec),
        "status": ASKED if for_people else result.status or "",
        **{name: None if for_people else getattr(result, name) for name in ("score", "low", "high")},
        "label": None if for_people else storable_text(result.label),
        "probability": unit.probability,
        "received": unit.claimed.received,
        "judged": time.time(),
        "revision": unit.claimed.revision,
        "app_release": storable_text(str((unit.case.metadata or {}).get("release") or "")),
        "run": number,
        "case_index": case_index,
    }


def _delete_earlier_figures(connection: Connection, watch: str, judged: Sequence[JudgedUnit]) -> None:
    """Delete the figures of earlier revisions, and of sessions that failed: a window counts each unit once."""
    c = WATCH_RESULTS.c
    earlier = [item for item in judged if item.claimed.revision > 1 or item.claimed.session]
    for unit in {storable_text(item.unit) for item in earlier}:
        connection.execute(delete(WATCH_RESULTS).where(c.watch == watch, c.unit == unit))


def give_up(engine: Engine, claimed: ClaimedUnit, *, error: str, dead: bool) -> None:
    """End a claim on traces that give no test case, or were tried often enough."""
    with engine.begin() as connection:
        end_claims(connection, [claimed], dead=dead, error=error)
