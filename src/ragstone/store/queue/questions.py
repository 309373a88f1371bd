"""The questions of the judged traces of a time interval, as far as their text is stored."""

from dataclasses import dataclass

from sqlalchemy import Engine, and_, select

from ragstone.store.schema.tables import CASES, RUN_CASES, WATCH_RESULTS


@dataclass(frozen=True, slots=True)
class LiveQuestion:
    """A question of a judged trace, session or span.

    Attributes:
        unit: the trace, session or span.
        trace_id: the trace, or the first of the session.
        text: its first 500 characters.
    """

    unit: str
    trace_id: str
    text: str


def read_questions(engine: Engine, watch: str, since: float, until: float) -> list[LiveQuestion]:
    """Return the questions of the traces received from `since` on and before `until`: seconds since 1970."""
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
