"""The tables. What is sorted and filtered by stands in columns; the whole of it, exactly as it was, in `body`.

    runs ──< results >── cases        a result is known by its run and its place: no place has two
      ├────< exchanges                what the judge was asked and answered, so that nothing is asked twice
      └────< batches                  what is with a vendor, so that nothing is submitted twice

A test case is kept once, however many runs measured it: its key is a hash over its content. `body` is JSON in a text
column, since a JSON type would put its properties in another order, or refuse a character that a text may hold.
"""

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text

METADATA = MetaData()

RUNS = Table(
    "runs",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("name", Text),
    Column("dataset", Text),
    Column("judge", Text, nullable=False),
    Column("started", String(40), nullable=False),
    Column("state", String(16), nullable=False),
    Column("why", Text, nullable=False, default=""),
    Column("seconds", Float, nullable=False, default=0.0),
    Column("rejected", Text, nullable=False, default="[]"),
    Column("version", String(32), nullable=False),
    Column("body", Text, nullable=False),
)

CASES = Table(
    "cases",
    METADATA,
    Column("key", String(32), primary_key=True),
    Column("case_id", Text, nullable=False),
    Column("name", Text),
    Column("input", Text, nullable=False),
    Column("body", Text, nullable=False),
)

RESULTS = Table(
    "results",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("case_index", BigInteger, primary_key=True, autoincrement=False),
    Column("metric_index", Integer, primary_key=True, autoincrement=False),
    Column("case_key", String(32), nullable=False),
    Column("case_id", Text, nullable=False),
    Column("metric", Text, nullable=False),
    Column("spec", Text, nullable=False),
    Column("status", String(8), nullable=False),
    Column("score", Float),
    Column("success", Boolean, nullable=False),
    Column("error_kind", Text),
    Column("latency_ms", Float, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False),
    Column("cost", Float),
    Column("body", Text, nullable=False),
    Index("results_by_metric", "run", "metric_index", "status", "score"),
    Index("results_by_score", "run", "score"),
    Index("results_by_status", "run", "status", "case_index"),
    Index("results_by_latency", "run", "latency_ms"),
)

EXCHANGES = Table(
    "exchanges",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("key", String(32), primary_key=True),
    Column("case_index", BigInteger, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("recorded", Boolean, nullable=False),
    Column("latency_ms", Float, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float),
    Column("body", Text, nullable=False),
    Index("exchanges_by_case", "run", "case_index"),
)

BATCHES = Table(
    "batches",
    METADATA,
    Column("run_id", String(64), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("vendor", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("batch", Text),
    Column("since", Float, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("keys", Text, nullable=False),
)
