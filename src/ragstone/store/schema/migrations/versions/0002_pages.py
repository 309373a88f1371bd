"""Columns and tables for the pages of runs: progress, sums per test case and metric, annotations, baselines."""

import json
from hashlib import blake2b
from typing import Any, cast

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_PAGE = 1000
_LIMIT = 500
_MAX_BITS = 62
_STATUSES = {"passed": "PASS", "missed": "FAIL", "failed": "ERROR", "skipped": "SKIPPED"}


def upgrade() -> None:
    """Add columns and tables, and fill them from what is there."""
    _add_columns()
    _create_tables()
    connection = op.get_bind()
    _fill_cases(connection)
    _fill_results(connection)
    _fill_places(connection)
    _fill_tallies(connection)
    _fill_runs(connection)


def downgrade() -> None:
    """Remove them."""
    for table in ("baselines", "annotations", "tallies", "places"):
        op.drop_table(table)
    op.drop_index("runs_by_start", "runs")
    op.drop_index("results_by_serial", "results")
    op.drop_index("results_by_case", "results")
    op.create_index("results_by_score", "results", ["run", "score"])
    op.create_index("results_by_status", "results", ["run", "status", "case_index"])
    for table, columns in {
        "runs": ("tags", "total", "done", "serial", "heard"),
        "cases": ("answer",),
        "results": ("serial", "shortfall"),
        "exchanges": ("judge", "error", "request"),
    }.items():
        for column in columns:
            op.drop_column(table, column)


def _add_columns() -> None:
    text: dict[str, Any] = {"nullable": False, "server_default": ""}
    count: dict[str, Any] = {"nullable": False, "server_default": "0"}
    op.add_column("runs", sa.Column("tags", sa.Text, nullable=False, server_default="[]"))
    op.add_column("runs", sa.Column("total", sa.BigInteger))
    op.add_column("runs", sa.Column("done", sa.BigInteger, **count))
    op.add_column("runs", sa.Column("serial", sa.BigInteger, **count))
    op.add_column("runs", sa.Column("heard", sa.String(40), **text))
    op.create_index("runs_by_start", "runs", ["started", "number"])
    op.add_column("cases", sa.Column("answer", sa.Text, **text))
    op.add_column("results", sa.Column("serial", sa.BigInteger, **count))
    op.add_column("results", sa.Column("shortfall", sa.Float))
    op.add_column("exchanges", sa.Column("judge", sa.Text, **text))
    op.add_column("exchanges", sa.Column("error", sa.Text))
    op.add_column("exchanges", sa.Column("request", sa.Text, **text))


def _create_tables() -> None:
    op.create_table(
        "places",
        sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("case_index", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("case_key", sa.String(32), nullable=False),
        sa.Column("case_id", sa.Text, nullable=False),
        sa.Column("named", sa.String(32), nullable=False),
        sa.Column("asked", sa.String(32), nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("passes", sa.BigInteger, nullable=False),
        sa.Column("misses", sa.BigInteger, nullable=False),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
        sa.Column("skipped", sa.Integer, nullable=False),
        sa.Column("mean", sa.Float),
        sa.Column("shortfall", sa.Float),
        sa.Column("latency_ms", sa.Float, nullable=False),
        sa.Column("cost", sa.Float),
        sa.Column("serial", sa.BigInteger, nullable=False),
        sa.Column("sought", sa.Text, nullable=False),
    )
    op.create_index("places_by_worst", "places", ["run", "missed", "shortfall", "failed", "case_index"])
    op.create_index("places_by_key", "places", ["case_key"])
    flips = ["passes", "misses", "case_index"]
    op.create_index("places_by_id", "places", ["run", "named", *flips])
    op.create_index("places_by_question", "places", ["run", "asked", "named", *flips])
    op.create_table(
        "tallies",
        sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("metric_index", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("metric", sa.Text, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _STATUSES),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("squares", sa.Float, nullable=False),
        sa.Column("latency_ms", sa.Float, nullable=False),
        sa.Column("calls", sa.BigInteger, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("cached_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.Float, nullable=False),
        sa.Column("unpriced", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "annotations",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("case_index", sa.BigInteger, nullable=False),
        sa.Column("case_id", sa.Text, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("about", sa.String(32), nullable=False),
        sa.Column("statement", sa.Integer, nullable=False),
        sa.Column("claim", sa.Text, nullable=False),
        sa.Column("annotator", sa.String(200), nullable=False),
        sa.Column("verdict", sa.String(8), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("updated", sa.String(40), nullable=False),
    )
    key = ["run", "case_index", "about", "statement", "annotator"]
    op.create_index("annotations_one", "annotations", key, unique=True)
    op.create_table(
        "baselines",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("since", sa.String(40), nullable=False),
    )


def _table(name: str, *columns: str) -> Any:  # noqa: ANN401  (a table as it is at this step)
    return sa.table(name, *(cast("Any", sa.column(column)) for column in columns))


def _fill_cases(connection: sa.Connection) -> None:
    cases = _table("cases", "key", "body", "answer")
    last = ""
    while True:
        query = (
            sa.select(cases.c.key, cases.c.body).where(cases.c.key > last).order_by(cases.c.key).limit(_PAGE)
        )
        rows = connection.execute(query).all()
        if not rows:
            return
        last = rows[-1].key
        new = [{"k": row.key, "a": _storable(_answer(json.loads(row.body))[:_LIMIT])} for row in rows]
        statement = cases.update().where(cases.c.key == sa.bindparam("k")).values(answer=sa.bindparam("a"))
        connection.execute(statement, new)


def _fill_results(connection: sa.Connection) -> None:
    """Number the results of each run in the order of their places, and read how far from the threshold they are."""
    results = _table("results", "run", "case_index", "metric_index", "body", "score", "serial", "shortfall")
    c = results.c
    key = sa.tuple_(c.run, c.case_index, c.metric_index)
    last, numbers = (-1, -1, -1), dict[int, int]()
    statement = (
        results.update()
        .where(
            c.run == sa.bindparam("r"), c.case_index == sa.bindparam("c"), c.metric_index == sa.bindparam("m")
        )
        .values(serial=sa.bindparam("n"), shortfall=sa.bindparam("s"))
    )
    while True:
        query = sa.select(c.run, c.case_index, c.metric_index, c.score, c.body).where(key > sa.tuple_(*last))
        rows = connection.execute(query.order_by(c.run, c.case_index, c.metric_index).limit(_PAGE)).all()
        if not rows:
            break
        last = tuple(rows[-1][:3])
        new: list[dict[str, Any]] = []
        for run, case_index, metric_index, score, body in rows:
            numbers[run] = numbers.get(run, 0) + 1
            short = _shortfall(score, json.loads(body))
            new.append({"r": run, "c": case_index, "m": metric_index, "n": numbers[run], "s": short})
        connection.execute(statement, new)
    op.create_index("results_by_serial", "results", ["run", "serial"])
    op.create_index("results_by_case", "results", ["run", "case_index", "metric_index", "status", "score"])
    op.drop_index("results_by_score", "results")
    op.drop_index("results_by_status", "results")


def _fill_places(connection: sa.Connection) -> None:
    results = _table(
        "results",
        "run",
        "case_index",
        "metric_index",
        "case_key",
        "status",
        "score",
        "shortfall",
        "latency_ms",
        "cost",
        "serial",
    )
    cases = _table("cases", "key", "body")
    names = (
        "run",
        "case_index",
        "case_key",
        "case_id",
        "named",
        "asked",
        "tags",
        "passes",
        "misses",
        *_STATUSES,
    )
    places = _table("places", *names, "mean", "shortfall", "latency_ms", "cost", "serial", "sought")
    c = results.c
    sums = (
        sa.select(
            c.run,
            c.case_index,
            sa.func.min(c.case_key).label("case_key"),
            *(_count(c, status).label(name) for name, status in _STATUSES.items()),
            _status_bits(c, "PASS").label("passes"),
            _status_bits(c, "FAIL").label("misses"),
            sa.func.avg(c.score).label("mean"),
            sa.func.max(c.shortfall).label("shortfall"),
            sa.func.sum(c.latency_ms).label("latency_ms"),
            sa.func.sum(c.cost).label("cost"),
            sa.func.max(c.serial).label("serial"),
        )
        .group_by(c.run, c.case_index)
        .order_by(c.run, c.case_index)
        .limit(_PAGE)
    )
    last = (-1, -1)
    while True:
        page = sums.where(sa.tuple_(c.run, c.case_index) > sa.tuple_(*last)).subquery()
        query = sa.select(page, cases.c.body).join(cases, cases.c.key == page.c.case_key)
        rows = connection.execute(query.order_by(page.c.run, page.c.case_index)).mappings().all()
        if not rows:
            return
        last = (rows[-1]["run"], rows[-1]["case_index"])
        connection.execute(places.insert(), [_place_row(dict(row)) for row in rows])


def _place_row(row: dict[str, Any]) -> dict[str, Any]:
    case = json.loads(row.pop("body"))
    question = str(case.get("input", ""))
    words = (str(case.get("id", "")), str(case.get("name") or ""), question[:_LIMIT], _answer(case)[:_LIMIT])
    return {
        **row,
        "case_id": _storable(words[0]),
        "named": _digest(words[0]),
        "asked": _digest(question.strip()),
        "tags": _storable(json.dumps(case.get("tags", []), ensure_ascii=False)),
        "sought": _storable("\n".join(words).casefold()),
    }


def _fill_tallies(connection: sa.Connection) -> None:
    """Count the results of each metric."""
    numbers = ("calls", "input_tokens", "output_tokens", "cached_tokens")
    identity = ("run", "metric_index", "metric", "spec")
    results = _table("results", *identity, "status", "score", "latency_ms", *numbers, "cost")
    tallies = _table(
        "tallies", *identity, *_STATUSES, "score", "squares", "latency_ms", *numbers, "cost", "unpriced"
    )
    c = results.c
    query = sa.select(
        c.run,
        c.metric_index,
        sa.func.min(c.metric),
        sa.func.min(c.spec),
        *(_count(c, status) for status in _STATUSES.values()),
        sa.func.coalesce(sa.func.sum(c.score), 0.0),
        sa.func.coalesce(sa.func.sum(c.score * c.score), 0.0),
        sa.func.sum(c.latency_ms),
        *(sa.func.sum(c[name]) for name in numbers),
        sa.func.coalesce(sa.func.sum(c.cost), 0.0),
        sa.func.sum(sa.case((c.cost.is_(None), 1), else_=0)),
    ).group_by(c.run, c.metric_index)
    connection.execute(tallies.insert().from_select([column.name for column in tallies.c], query))


def _fill_runs(connection: sa.Connection) -> None:
    connection.execute(
        sa.text(
            "UPDATE runs SET heard = started, done = (SELECT count(*) FROM results WHERE results.run = runs.number), "
            "serial = (SELECT count(*) FROM results WHERE results.run = runs.number)"
        )
    )


def _count(columns: Any, status: str) -> Any:  # noqa: ANN401  (columns and an expression)
    return sa.func.sum(sa.case((columns.status == status, 1), else_=0))


def _status_bits(columns: Any, status: str) -> Any:  # noqa: ANN401
    """Return a number with a bit for each metric, up to the 62nd, whose result has that status."""
    bit = sa.cast(1, sa.BigInteger).bitwise_lshift(columns.metric_index)
    hit = sa.and_(columns.status == status, columns.metric_index < _MAX_BITS)
    return sa.cast(sa.func.sum(sa.case((hit, bit), else_=0)), sa.BigInteger)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _shortfall(score: float | None, result: dict[str, Any]) -> float | None:
    if score is None:
        return None
    return (result["threshold"] - score) * (1 if result["higher_is_better"] else -1)


def _answer(case: dict[str, Any]) -> str:
    return str(case.get("actual_output") or "")


def _storable(text: str) -> str:
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
