"""The tables. Columns hold the values to sort and filter by; `body` holds the whole value as JSON.

    runs ──< results >── cases        results, identified by run, test case and metric
      ├────< answers >── cases        answers of an application, so that it is asked nothing twice
      ├────< exchanges                judge calls with their answers, so that none is repeated
      ├────< run_cases                aggregates per test case, for the table of test cases
      ├────< run_metrics              aggregates per metric, updated as results are written
      ├────< run_datasets             fingerprints of the dataset, so that another one is refused on resuming
      ├────< annotations              people's verdicts on a test case, a result or a claim
      ├────< baselines                runs that others are compared with, by name
      └────< batches                  batches submitted to a vendor, so that none is submitted twice
    traces ──< trace_records          records that applications sent, in the queue until they are judged
      ├────< watch_results            scores of traces, sessions or spans, by watch; they stay when the text is deleted
      └────< feedback                 feedback on a trace, a span or a session; it may come before the trace
    watch_state                       state of a watch: its alarms, its sampling rate
    audit_log                         what people and tokens changed; rows are only added
    tokens                            tokens of machines by name, as hashes

A test case is stored once, however many runs measured it: its key is a hash over its content. `body` is JSON in a text
column, because a JSON type would reorder its properties, or reject a character that a text may contain. The aggregates
repeat data of the results, so that a page over 100,000 of them reads none. A result's `low` and `high` are null where
they equal its score; its status is empty where its metric has no threshold. `label` is the category that its metric
gave, and `labelled` counts results with a label and no score. `id_hash`, `question_hash` and `about` are
hashes of an id, a question and a spec: PostgreSQL does not index long texts. A run's `lease_owner` is the process that
writes to it, until `lease_until`. Times are texts, in UTC and of one length, so that they sort by time.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    event,
)

METADATA = MetaData()


def _columns(kind: Any, names: str, *, nullable: bool = False, **options: Any) -> list[Column[Any]]:  # noqa: ANN401
    return [Column(name, kind, nullable=nullable, **options) for name in names.split()]


RUNS = Table(
    "runs",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    *_columns(Text, "name dataset", nullable=True),
    Column("started", String(40), nullable=False),
    Column("state", String(16), nullable=False),
    Column("why", Text, nullable=False, default=""),
    Column("seconds", Float, nullable=False, default=0.0),
    Column("rejected", Text, nullable=False, default="[]"),
    Column("version", String(32), nullable=False),
    Column("tags", Text, nullable=False, default="[]", server_default="[]"),
    Column("total", BigInteger),
    *_columns(BigInteger, "done serial", default=0, server_default="0"),
    Column("heartbeat", String(40), nullable=False, default="", server_default=""),
    Column("lease_owner", Text, nullable=False, default="", server_default=""),
    Column("lease_until", Float, nullable=False, default=0.0, server_default="0"),
    *_columns(Text, "judge body"),
    Index("runs_by_start", "started", "number"),
)

CASES = Table(
    "cases",
    METADATA,
    Column("key", String(32), primary_key=True),
    Column("name", Text),
    Column("answer", Text, nullable=False, default="", server_default=""),
    *_columns(Text, "case_id input body"),
)

RESULTS = Table(
    "results",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("case_index", BigInteger, primary_key=True, autoincrement=False),
    Column("metric_index", Integer, primary_key=True, autoincrement=False),
    Column("case_key", String(32), nullable=False),
    Column("status", String(16), nullable=False),
    *_columns(Float, "score cost shortfall low high", nullable=True),
    Column("success", Boolean, nullable=False),
    Column("error_kind", Text),
    Column("latency_ms", Float, nullable=False),
    Column("calls", Integer, nullable=False),
    *_columns(BigInteger, "input_tokens output_tokens cached_tokens"),
    Column("serial", BigInteger, nullable=False, default=0, server_default="0"),
    Column("label", String(200)),
    *_columns(Text, "case_id metric spec body"),
    Index("results_by_serial", "run", "serial"),
    Index("results_by_metric", "run", "metric_index", "status", "score", "low", "high", "label"),
    Index("results_by_case", "run", "case_index", "metric_index", "status", "score", "low", "high", "label"),
    Index("results_by_latency", "run", "latency_ms"),
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("case_index", BigInteger, primary_key=True, autoincrement=False),
    Column("case_key", String(32), nullable=False),
    Column("failed", Boolean, nullable=False),
    Index("answers_by_key", "case_key"),
)

EXCHANGES = Table(
    "exchanges",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("key", String(32), primary_key=True),
    *_columns(BigInteger, "case_index input_tokens output_tokens"),
    Column("recorded", Boolean, nullable=False),
    Column("latency_ms", Float, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("cost", Float),
    Column("error", Text),
    *_columns(Text, "prompt body"),
    *_columns(Text, "judge request", default="", server_default=""),
    Index("exchanges_by_case", "run", "case_index"),
)

RUN_CASES = Table(
    "run_cases",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("case_index", BigInteger, primary_key=True, autoincrement=False),
    *_columns(String(32), "case_key id_hash question_hash"),
    *_columns(BigInteger, "passes misses serial"),
    *_columns(Integer, "passed missed not_measured skipped"),
    *_columns(Float, "mean shortfall cost", nullable=True),
    Column("latency_ms", Float, nullable=False),
    Column("undecided", Integer, nullable=False, default=0, server_default="0"),
    *_columns(Text, "case_id tags search_text"),
    Index("run_cases_by_worst", "run", "missed", "shortfall", "not_measured", "case_index"),
    Index("run_cases_by_key", "case_key"),
    Index("run_cases_by_id", "run", "id_hash", "passes", "misses", "case_index"),
    Index("run_cases_by_question", "run", "question_hash", "id_hash", "passes", "misses", "case_index"),
)

RUN_METRICS = Table(
    "run_metrics",
    METADATA,
    *_columns(Integer, "run metric_index", primary_key=True, autoincrement=False),
    *_columns(Text, "metric spec"),
    *_columns(
        BigInteger,
        "passed missed not_measured skipped calls input_tokens output_tokens cached_tokens unpriced",
    ),
    *_columns(Float, "score squares latency_ms cost"),
    *_columns(BigInteger, "undecided measured scored labelled", default=0, server_default="0"),
    *_columns(Float, "low high", default=0.0, server_default="0"),
)

RUN_DATASETS = Table(
    "run_datasets",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("row_limit", BigInteger),
    Column("unit", String(8), nullable=False),
    Column("fingerprints", LargeBinary, nullable=False),
)

ANNOTATIONS = Table(
    "annotations",
    METADATA,
    Column("number", Integer, primary_key=True),
    *_columns(Integer, "run statement"),
    Column("case_index", BigInteger, nullable=False),
    Column("about", String(32), nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("verdict", String(16), nullable=False),
    *_columns(String(40), "created updated"),
    *_columns(Text, "case_id spec claim note"),
    Index("annotations_one", "run", "case_index", "about", "statement", "annotator", unique=True),
)

BASELINES = Table(
    "baselines",
    METADATA,
    Column("name", String(200), primary_key=True),
    Column("run", Integer, nullable=False),
    Column("since", String(40), nullable=False),
)

BATCHES = Table(
    "batches",
    METADATA,
    Column("run_id", String(64), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_columns(Text, "vendor model address keys"),
    Column("batch", Text),
    Column("since", Float, nullable=False),
    Column("requests", Integer, nullable=False),
)

TRACES = Table(
    "traces",
    METADATA,
    Column("trace_id", String(64), primary_key=True),
    Column("state", String(8), nullable=False),
    *_columns(Integer, "revision attempts"),
    *_columns(BigInteger, "records bytes"),
    *_columns(Float, "first_received last_received not_before lease_until"),
    Column("rooted", Boolean, nullable=False),
    Column("user_hash", String(32), nullable=False),
    Column("session", String(32), nullable=False, default="", server_default=""),
    Column("lease", String(64), nullable=False),
    Column("error", Text, nullable=False),
    Index("traces_by_state", "state", "last_received"),
    Index("traces_by_user", "user_hash"),
    Index("traces_by_lease", "lease"),
    Index("traces_by_session", "session", "state"),
)

TRACE_RECORDS = Table(
    "trace_records",
    METADATA,
    Column("trace_id", String(64), primary_key=True),
    Column("digest", String(32), primary_key=True),
    Column("body", Text, nullable=False),
)

WATCH_RESULTS = Table(
    "watch_results",
    METADATA,
    *_columns(String(200), "watch unit", primary_key=True),
    Column("judged_by", String(8), primary_key=True),
    Column("metric_index", Integer, primary_key=True, autoincrement=False),
    Column("trace_id", String(64), nullable=False),
    Column("session", String(32), nullable=False, default="", server_default=""),
    *_columns(Text, "metric app_release"),
    Column("status", String(16), nullable=False),
    *_columns(Float, "score low high", nullable=True),
    *_columns(Float, "probability received judged"),
    *_columns(Integer, "revision run"),
    Column("case_index", BigInteger, nullable=False),
    Column("label", String(200)),
    Index("watch_results_by_time", "watch", "judged_by", "metric_index", "received"),
    Index("watch_results_by_trace", "trace_id"),
    Index("watch_results_by_session", "session"),
    Index("watch_results_by_case", "run", "case_index"),
)

FEEDBACK = Table(
    "feedback",
    METADATA,
    Column("key", String(32), primary_key=True),
    Column("source", String(8), nullable=False),
    *_columns(String(64), "origin trace_id span_id"),
    *_columns(String(32), "session_hash author_hash"),
    Column("name", String(200), nullable=False),
    Column("thumb", String(4), nullable=False),
    Column("score", Float),
    *_columns(Float, "received updated"),
    *_columns(Text, "id label comment correction"),
    Index("feedback_by_trace", "trace_id"),
    Index("feedback_by_span", "span_id"),
    Index("feedback_by_session", "session_hash"),
    Index("feedback_by_author", "author_hash"),
    Index("feedback_by_origin", "origin"),
    Index("feedback_by_time", "received"),
)

WATCH_STATE = Table(
    "watch_state",
    METADATA,
    *_columns(String(200), "watch name", primary_key=True),
    Column("updated", Float, nullable=False),
    Column("body", Text, nullable=False),
)

AUDIT_LOG = Table(
    "audit_log",
    METADATA,
    Column("number", Integer, primary_key=True),
    *_columns(String(40), "at action"),
    *_columns(String(16), "kind role"),
    *_columns(Text, "name subject detail"),
    Column("address", String(64), nullable=False),
)

TOKENS = Table(
    "tokens",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("role", String(16), nullable=False),
    *_columns(String(40), "created expires revoked"),
    *_columns(Text, "created_by revoked_by"),
)

_ONLY_ADDED = "rows of audit_log are only added"
_SQLITE_TRIGGER = (
    "CREATE TRIGGER audit_log_{event} BEFORE {event} ON audit_log {when} "
    "BEGIN SELECT RAISE(ABORT, '{message}'); END"
)
_IS_KEPT = "WHEN EXISTS (SELECT 1 FROM audit_log WHERE number = NEW.number)"
"""Of an `INSERT OR REPLACE`, for which SQLite runs no trigger on DELETE."""
_POSTGRESQL_FUNCTION = (
    "CREATE OR REPLACE FUNCTION audit_log_only_added() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_ONLY_ADDED}'; END $$"
)
_POSTGRESQL_TRIGGER = (
    "CREATE TRIGGER audit_log_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_log_only_added()"
)
_TRIGGERS = (
    *(
        ("sqlite", _SQLITE_TRIGGER.format(event=event, when=when, message=_ONLY_ADDED))
        for event, when in (("update", ""), ("delete", ""), ("insert", _IS_KEPT))
    ),
    ("postgresql", _POSTGRESQL_FUNCTION),
    ("postgresql", _POSTGRESQL_TRIGGER),
)
"""By dialect, the triggers with which the database refuses to change or delete rows of the audit log."""

for _dialect, _statement in _TRIGGERS:
    event.listen(AUDIT_LOG, "after_create", DDL(_statement).execute_if(dialect=_dialect))


@cache
def installed_version() -> str:
    """Return ragstone's version, which each run is stored with; `unknown` where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  (only a run needs it)

    try:
        return version("ragstone")
    except PackageNotFoundError:
        return "unknown"


def now(later: timedelta = timedelta()) -> str:
    """Return the time now, or some time later, as the tables hold it: ISO 8601 in UTC, with microseconds."""
    return (datetime.now(UTC) + later).isoformat(timespec="microseconds")


def age(then: str) -> float:
    """Return how many seconds ago a time in a table was; infinity for an empty text."""
    return (datetime.now(UTC) - datetime.fromisoformat(then)).total_seconds() if then else float("inf")
