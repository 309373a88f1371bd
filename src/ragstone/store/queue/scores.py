"""The scores of a watch: those of a time window and by people, the questions, and the judged sessions."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, Engine, and_, case, func, select, update

from ragstone.store.schema.tables import ANNOTATIONS, CASES, RUN_CASES, RUNS, WATCH_RESULTS
from ragstone.store.write.rows import digest

ASKED, SAID, UNSURE = "ASKED", "SAID", "IDK"
"""Status of a score by people: no verdict yet, at least one yes or no, unsure verdicts only."""

_NO_STATEMENT = -1
_VERDICT_SCORES = {"yes": 1.0, "no": 0.0}


@dataclass(frozen=True, slots=True)
class WindowScore:
    """A score in a window.

    Attributes:
        unit: the trace, session or span.
        judged_by: `all`, `sample` or `people`.
        score: in [0, 1]; None if nothing was decided or measured, it was skipped, or people have not given one.
        low: the least possible score; None where nothing was measured, and of people. `high` likewise.
        probability: probability with which it was sampled.
        status: passed, missed, undecided, not_measured or skipped; by people ASKED, SAID or IDK.
    """

    unit: str
    judged_by: str
    metric: str
    score: float | None
    low: float | None
    high: float | None
    probability: float
    status: str
    label: str | None = None


def read_window(engine: Engine, watch: str, since: float, until: float) -> list[WindowScore]:
    """Return the scores of the traces that were received from `since` on, and before `until`: seconds since 1970."""
    c = WATCH_RESULTS.c
    columns = (c.unit, c.judged_by, c.metric, c.score, c.low, c.high, c.probability, c.status, c.label)
    query = select(*columns).where(c.watch == watch, c.received >= since, c.received < until)
    with engine.connect() as connection:
        return [WindowScore(*row) for row in connection.execute(query)]


class PeopleQueue(NamedTuple):
    """A run whose test cases people are to judge: its id, how many were sampled, and how many of them are open."""

    run: str
    asked: int
    open: int


def read_people_queues(engine: Engine, watch: str, since: float) -> list[PeopleQueue]:
    """Return the runs with test cases for people that were received since a time, the latest first."""
    c = WATCH_RESULTS.c
    waiting = func.sum(case((c.status == ASKED, 1), else_=0))
    query = (
        select(RUNS.c.id, func.count(), waiting)
        .join(RUNS, RUNS.c.number == c.run)
        .where(c.watch == watch, c.judged_by == "people", c.metric_index == 0, c.received >= since)
        .group_by(RUNS.c.id, RUNS.c.started)
        .order_by(RUNS.c.started.desc())
    )
    with engine.connect() as connection:
        return [PeopleQueue(run, count, int(rest)) for run, count, rest in connection.execute(query)]


def update_human_scores(connection: Connection, run: int, case_index: int) -> None:
    """Set the scores of a test case from its annotations; do nothing if no watch sampled it for people.

    A verdict on a metric's result counts for that metric, one on the whole case for each metric on which the same
    person has given none. A score is the share of people who say yes; unsure people are not counted.
    """
    c, annotation = WATCH_RESULTS.c, ANNOTATIONS.c
    condition = (c.run == run, c.case_index == case_index, c.judged_by == "people")
    metrics = list(connection.execute(select(c.metric).where(*condition)).scalars())
    if not metrics:
        return
    query = select(annotation.about, annotation.annotator, annotation.verdict).where(
        annotation.run == run, annotation.case_index == case_index, annotation.statement == _NO_STATEMENT
    )
    by_target: dict[str, dict[str, str]] = {}
    for about, annotator, verdict in connection.execute(query):
        by_target.setdefault(about, {})[annotator] = verdict
    for metric in metrics:
        verdicts = by_target.get(digest(""), {}) | by_target.get(digest(metric), {})
        values = [_VERDICT_SCORES[value] for value in verdicts.values() if value in _VERDICT_SCORES]
        status = SAID if values else UNSURE if verdicts else ASKED
        score = sum(values) / len(values) if values else None
        statement = update(WATCH_RESULTS).where(*condition, c.metric == metric)
        connection.execute(statement.values(score=score, status=status))


def judged_sessions(engine: Engine, watch: str, sessions: Collection[str]) -> set[str]:
    """Return the sessions, of those given, that a watch has judged; a session with a failed result does not count."""
    c = WATCH_RESULTS.c
    failed = func.max(case((c.status == "not_measured", 1), else_=0))
    query = select(c.unit).where(c.watch == watch, c.unit.in_(sessions), c.judged_by == "all")
    with engine.connect() as connection:
        return set(connection.execute(query.group_by(c.unit).having(failed == 0)).scalars())


class LiveQuestion(NamedTuple):
    """A question of a judged trace, session or span: the first 500 characters of its text."""

    unit: str
    trace_id: str
    text: str


def read_questions(engine: Engine, watch: str, since: float, until: float) -> list[LiveQuestion]:
    """Return the stored questions of traces received from `since` on and before `until`: seconds since 1970."""
    c, run_case = WATCH_RESULTS.c, RUN_CASES.c
    query = (
        select(c.unit, c.trace_id, CASES.c.input)
        .join(RUN_CASES, and_(run_case.run == c.run, run_case.case_index == c.case_index))
        .join(CASES, CASES.c.key == run_case.case_key)
        .where(c.watch == watch, c.judged_by == "all", c.metric_index == 0, CASES.c.input != "")
        .where(c.received >= since, c.received < until)
        .order_by(c.unit)
    )
    with engine.connect() as connection:
        return [LiveQuestion(*row) for row in connection.execute(query)]
