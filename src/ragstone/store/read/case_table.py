"""The table of a run's test cases: filtered, searched, sorted and paged by the database."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from sqlalchemy import JSON, Connection, Engine, and_, cast, exists, false, func, or_, select, union_all

from ragstone.status import Status
from ragstone.store.schema.tables import ANNOTATIONS, CASES, RESULTS, RUN_CASES, RUN_METRICS
from ragstone.store.write.aggregates import BITS
from ragstone.store.write.rows import storable_text

Sort = Literal["order", "worst", "score", "latency", "cost", "recent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseQuery:
    """Filter and order of the table of test cases; empty fields match everything.

    Attributes:
        text: part of the question, the answer (their first 500 characters), the name, the id or a tag, in either
            case; or of a passage, the expected output or the metadata, where only ASCII letters match in either case.
        status: passed (everything passed), or any other (at least one result is that); with `metric` the status of its
            result.
        metric: spec of the metric to which `status`, `low`, `high` and the sort by score apply. By itself it leaves
            nothing out; test cases without a result of it come last.
        label: the label that `metric` gave; of any metric where none is named.
        low: least score of that metric; the mean of the case's scores where there is no metric.
        high: greatest score.
        tag: a tag the test case has.
        metadata: `key=value` of its metadata, a text or a number; `key` alone: it has that key.
        flipped_against: number of another run, in which some metric of the same test case (same id, else same question)
            passed where it fails here, or the other way round.
        annotated: only those that somebody has annotated (True), or nobody (False).
        annotator: likewise, by this person.
        sort: `order` of the dataset; `worst`: most missed thresholds first, then the farthest from one; `score` of the
            metric, or mean of the case's scores; `latency`; `cost`; `recent`: in the order in which results came.
        sort_metric: spec of the metric whose score sorts, if it is another one than `metric`.
        descending: reverse the order.
        limit: most test cases to return; None for all.
        offset: number of test cases to skip.
    """

    text: str = ""
    status: Status | Literal[""] = ""
    metric: str = ""
    label: str = ""
    low: float | None = None
    high: float | None = None
    tag: str = ""
    metadata: str = ""
    flipped_against: int | None = None
    annotated: bool | None = None
    annotator: str = ""
    sort: Sort = "order"
    sort_metric: str = ""
    descending: bool = False
    limit: int | None = 50
    offset: int = 0


@dataclass(frozen=True, slots=True)
class TableCell:
    """One result in the table.

    Attributes:
        metric_index: place of its metric in the run, from 0.
        status: passed, missed, undecided, not_measured or skipped.
        score: None where there is none.
        latency_ms: wall time of the measurement.
        label: the label that the metric gave; None without one.
    """

    metric_index: int
    status: str
    score: float | None
    latency_ms: float
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """One test case in the table.

    Attributes:
        case_index: its place in the run, from 0.
        case_id: its id.
        name: its name.
        question: the first 500 characters of its input.
        answer: the first 500 characters of its actual output.
        tags: its tags.
        passed: results on the right side of the threshold.
        missed: results on the wrong side.
        undecided: results that are undecided.
        not_measured: results that an error prevented.
        skipped: results that had nothing to work on.
        mean: mean of its scores; None where it has none.
        shortfall: how far its worst score lies beyond its threshold, below 0 where all pass; None without scores.
        latency_ms: wall time of its measurements together.
        cost: US dollars; None where unknown.
        annotations: number of annotations.
        cells: its results by the place of their metric; metrics that have none yet are absent.
    """

    case_index: int
    case_id: str
    name: str | None
    question: str
    answer: str
    tags: tuple[str, ...]
    passed: int
    missed: int
    undecided: int
    not_measured: int
    skipped: int
    mean: float | None
    shortfall: float | None
    latency_ms: float
    cost: float | None
    annotations: int
    cells: dict[int, TableCell]


@dataclass(frozen=True, slots=True)
class CasePage:
    """A page of test cases.

    Attributes:
        lines: those of this page.
        count: how many there are on all pages.
    """

    lines: tuple[CaseLine, ...]
    count: int


class Neighbours(NamedTuple):
    """Position of a test case among those that match a query.

    Attributes:
        position: from 0; None where it is not one of them.
        before: `case_index` of the one before it; None for the first.
        after: `case_index` of the one after it; None for the last.
    """

    position: int | None
    before: int | None
    after: int | None


class CaseTable:
    """The test cases of one run."""

    def __init__(self, engine: Engine, run: int) -> None:
        """Read the run of that number."""
        self._engine = engine
        self._run = run

    def page(self, query: CaseQuery) -> CasePage:
        """Return the test cases that match a query."""
        with self._engine.connect() as connection:
            count = connection.execute(self._matching(connection, query, func.count())).scalar_one()
            selected = self._matching(connection, query, *_COLUMNS).order_by(*self._order(query))
            rows = connection.execute(selected.limit(query.limit).offset(query.offset)).mappings().all()
            return CasePage(self._lines(connection, rows), int(count))

    def indices(self, query: CaseQuery) -> list[int]:
        """Return the indices of all test cases that match a query, regardless of its limit."""
        with self._engine.connect() as connection:
            selected = self._matching(connection, query, RUN_CASES.c.case_index).order_by(*self._order(query))
            return list(connection.execute(selected).scalars())

    def of(self, indices: Sequence[int]) -> tuple[CaseLine, ...]:
        """Return the test cases with those indices that were measured, in the order of the dataset."""
        index = RUN_CASES.c.case_index
        query = select(*_COLUMNS).where(RUN_CASES.c.run == self._run, index.in_(indices)).order_by(index)
        with self._engine.connect() as connection:
            return self._lines(connection, connection.execute(query).mappings().all())

    def reasons(self, indices: Sequence[int]) -> dict[int, str]:
        """Return, by test case, the reason or the error of its worst result that failed or could not be measured."""
        c = RESULTS.c
        failed = c.status.in_(("missed", "undecided", "not_measured"))
        query = select(c.case_index, c.body).where(c.run == self._run, c.case_index.in_(indices), failed)
        ordered = query.order_by(c.case_index, c.shortfall.asc().nulls_first())
        with self._engine.connect() as connection:
            worst = dict(map(tuple, connection.execute(ordered)))  # the last row of each test case wins
        rows = {index: json.loads(body) for index, body in worst.items()}
        return {index: str(row.get("reason") or row.get("error") or "") for index, row in rows.items()}

    def labels(self, by: str) -> dict[int, tuple[str, ...]]:
        """Return the labels of each test case: its tags for `tag`, else what its metadata have at that key."""
        c = RUN_CASES.c
        tags = select(c.case_index, c.tags).where(c.run == self._run)
        with self._engine.connect() as connection:
            if by == "tag":
                return {index: tuple(json.loads(text)) for index, text in connection.execute(tags)}
            found = self._metadata(connection)
        return {index: _label(metadata.get(by)) for index, metadata in found.items()}

    def metadata_keys(self, most: int = 500) -> list[str]:
        """Return the keys of the metadata of the first test cases, those of most cases first."""
        with self._engine.connect() as connection:
            found = self._metadata(connection, most)
        items = (item for metadata in found.values() for item in metadata.items())
        return [key for key, _ in Counter(key for key, value in items if _label(value)).most_common()]

    def _metadata(self, connection: Connection, limit: int | None = None) -> dict[int, dict[str, Any]]:
        c = RUN_CASES.c
        query = (
            select(c.case_index, _json_part(connection, "metadata"))
            .join(CASES, CASES.c.key == c.case_key)
            .where(c.run == self._run)
            .order_by(c.case_index)
            .limit(limit)
        )
        return {index: json.loads(text) if text else {} for index, text in connection.execute(query)}

    def neighbours(self, case_index: int, query: CaseQuery) -> Neighbours:
        """Return the test cases before and after one, in the order of a query."""
        order = self._order(query)
        column = RUN_CASES.c.case_index
        columns = (
            column.label("place"),
            func.row_number().over(order_by=order).label("position"),
            func.lag(column).over(order_by=order).label("before"),
            func.lead(column).over(order_by=order).label("after"),
        )
        with self._engine.connect() as connection:
            ranked = self._matching(connection, query, *columns).subquery()
            row = connection.execute(select(ranked).where(ranked.c.place == case_index)).first()
        return Neighbours(row.position - 1, row.before, row.after) if row else Neighbours(None, None, None)

    def _matching(self, connection: Connection, query: CaseQuery, *columns: Any) -> Any:  # noqa: ANN401
        """Return a query for columns of the matching test cases, joined with their results of `query.metric`, if set.

        A condition on the result leaves out the test cases without one; an order does not.
        """
        selected = select(*columns).select_from(RUN_CASES)
        if query.metric:
            selected = self._join_results(selected, RESULTS, query.metric)
        if query.sort == "score" and query.sort_metric:
            selected = self._join_results(selected, _SORTED, query.sort_metric)
        return selected.where(RUN_CASES.c.run == self._run, *self._conditions(connection, query))

    def _join_results(self, selected: Any, results: Any, spec: str) -> Any:  # noqa: ANN401  (a query, a table)
        c, metrics, run = results.c, RUN_METRICS.c, self._run
        index = select(metrics.metric_index).where(metrics.run == run, metrics.spec == spec).limit(1)
        same_metric = and_(c.run == run, c.metric_index == index.scalar_subquery())
        joined = selected.outerjoin(results, and_(same_metric, c.case_index == RUN_CASES.c.case_index))
        return joined.with_hint(results, _INDEX_HINT, "sqlite")

    def _order(self, query: CaseQuery) -> list[Any]:
        c = RUN_CASES.c
        score = RESULTS.c.score if query.metric else c.mean
        score = _SORTED.c.score if query.sort_metric else score
        columns: dict[str, Sequence[Any]] = {
            "order": (c.case_index,),
            "worst": (c.missed, c.shortfall, c.not_measured),
            "score": (score,),
            "latency": (c.latency_ms,),
            "cost": (c.cost,),
            "recent": (c.serial,),
        }
        descending = query.descending != (query.sort == "worst")  # the worst have the highest values
        orders: list[Any] = []
        for column in columns[query.sort]:
            order = column.desc() if descending else column.asc()
            nullable = any(column is each for each in (c.shortfall, score, c.cost))
            orders.append(order.nulls_last() if nullable else order)
        return [*orders, c.case_index.asc()]

    def _conditions(self, connection: Connection, query: CaseQuery) -> list[Any]:
        c = RUN_CASES.c
        score = RESULTS.c.score if query.metric else c.mean
        conditions: list[Any] = []
        if query.text:
            conditions.append(_any_text_contains(connection, storable_text(query.text)))
        if query.metadata:
            conditions.append(_has_metadata(connection, storable_text(query.metadata)))
        if query.tag:
            tag = storable_text(json.dumps(query.tag, ensure_ascii=False))
            conditions.append(_contains(connection, c.tags, tag))
        if query.low is not None:
            conditions.append(score >= query.low)
        if query.high is not None:
            conditions.append(score <= query.high)
        if query.label:
            conditions.append(self._has_label(query))
        if query.flipped_against is not None:
            conditions.append(_is_flipped(connection, self._run, query.flipped_against))
        return [*conditions, *_status_conditions(query), *self._annotation_conditions(query)]

    def _has_label(self, query: CaseQuery) -> Any:  # noqa: ANN401  (a condition)
        label = storable_text(query.label)
        if query.metric:
            return RESULTS.c.label == label
        c = RESULTS.c
        return exists().where(c.run == self._run, c.case_index == RUN_CASES.c.case_index, c.label == label)

    def _annotation_conditions(self, query: CaseQuery) -> list[Any]:
        if query.annotated is None and not query.annotator:
            return []
        c = ANNOTATIONS.c
        person = [c.annotator == query.annotator] if query.annotator else []
        match = exists().where(c.run == self._run, c.case_index == RUN_CASES.c.case_index, *person)
        return [~match if query.annotated is False else match]

    def _lines(self, connection: Connection, rows: Sequence[Mapping[Any, Any]]) -> tuple[CaseLine, ...]:
        indices = [row["case_index"] for row in rows]
        cells = self._cells(connection, indices)
        c, cases = ANNOTATIONS.c, CASES.c
        counted = select(c.case_index, func.count()).where(c.run == self._run, c.case_index.in_(indices))
        counts = {index: int(count) for index, count in connection.execute(counted.group_by(c.case_index))}
        query = select(cases.key, cases.name, cases.input.label("question"), cases.answer)
        keyed = query.where(cases.key.in_([row["case_key"] for row in rows]))
        texts = {row["key"]: row for row in connection.execute(keyed).mappings()}
        return tuple(
            CaseLine(
                **{name: row[name] for name in _LINE_COLUMNS},
                **{name: texts[row["case_key"]][name] for name in ("name", "question", "answer")},
                tags=tuple(json.loads(row["tags"])),
                annotations=counts.get(row["case_index"], 0),
                cells=cells[row["case_index"]],
            )
            for row in rows
        )

    def _cells(self, connection: Connection, indices: list[int]) -> dict[int, dict[int, TableCell]]:
        c = RESULTS.c
        query = select(c.case_index, c.metric_index, c.status, c.score, c.latency_ms, c.label)
        selected = query.where(c.run == self._run, c.case_index.in_(indices))
        cells: dict[int, dict[int, TableCell]] = {index: {} for index in indices}
        for index, metric_index, *cell in connection.execute(selected.order_by(c.metric_index)):
            cells[index][metric_index] = TableCell(metric_index, *cell)
        return cells


_SEARCHED_FIELDS = ("expected_output", "retrieval_context", "context", "metadata")
"""Fields of a test case, beside those in `search_text`, in which a text is looked for."""

_LINE_COLUMNS = (
    *("case_index", "case_id", "passed", "missed", "undecided", "not_measured", "skipped"),
    *("mean", "shortfall", "latency_ms", "cost"),
)
_COLUMNS = (*(RUN_CASES.c[name] for name in _LINE_COLUMNS), RUN_CASES.c.case_key, RUN_CASES.c.tags)


def _contains(connection: Connection, column: Any, text: str) -> Any:  # noqa: ANN401
    """Return the condition that a column contains a text, exactly: several times as fast as LIKE."""
    find = func.instr if connection.dialect.name == "sqlite" else func.strpos
    return find(column, text) > 0


def _any_text_contains(connection: Connection, text: str) -> Any:  # noqa: ANN401  (a condition)
    c = RUN_CASES.c
    written = json.dumps(text.lower(), ensure_ascii=False)[1:-1]
    parts = [_json_part(connection, name) for name in _SEARCHED_FIELDS]
    in_body = or_(*(_contains(connection, func.lower(part), written) for part in parts))
    return or_(
        _contains(connection, c.search_text, text.casefold()),
        _contains(connection, func.lower(c.tags), written),
        exists().where(CASES.c.key == c.case_key, in_body),
    )


def _label(value: object) -> tuple[str, ...]:
    """Return the label of a value of the metadata: a text or a number; none for anything else."""
    is_label = isinstance(value, str | int | float) and not isinstance(value, bool) and str(value)
    return (str(value)[:200],) if is_label else ()


def _has_metadata(connection: Connection, wanted: str) -> Any:  # noqa: ANN401  (a condition)
    key, equals, value = wanted.partition("=")
    name = f"{json.dumps(key.strip(), ensure_ascii=False)}:"
    text = json.dumps(value.strip(), ensure_ascii=False)
    wordings = [f"{name}{text}", *(f"{name}{value.strip()}{end}" for end in ",}")] if equals else [name]
    metadata = _json_part(connection, "metadata")
    found = or_(*(_contains(connection, metadata, wording) for wording in wordings))
    return exists().where(CASES.c.key == RUN_CASES.c.case_key, found)


def _json_part(connection: Connection, name: str) -> Any:  # noqa: ANN401  (a column)
    if connection.dialect.name == "sqlite":
        return func.json_extract(CASES.c.body, f"$.{name}")
    return cast(CASES.c.body, JSON).op("->>")(name)


def _status_conditions(query: CaseQuery) -> list[Any]:
    c = RUN_CASES.c
    if not query.status:
        return []
    if query.metric:
        return [RESULTS.c.status == query.status]
    if query.status != "passed":
        return [c[query.status] > 0]
    return [and_(c.passed > 0, c.missed == 0, c.undecided == 0, c.not_measured == 0)]


def _is_flipped(connection: Connection, run: int, other: int) -> Any:  # noqa: ANN401  (a condition)
    """Return the condition that a metric passed on a test case in one of two runs and not in the other.

    `passes` and `misses` have a bit for each metric, so that no result is read.
    """
    here, there = RUN_CASES.alias("here"), RUN_CASES.alias("there")
    other_ids = select(RUN_CASES.c.id_hash).where(RUN_CASES.c.run == other)
    by_id = here.c.id_hash == there.c.id_hash
    by_question = and_(here.c.question_hash == there.c.question_hash, here.c.id_hash.not_in(other_ids))
    flipped = or_(
        false(),
        *(
            and_(won.c.passes.bitwise_and(1 << won_bit) != 0, lost.c.misses.bitwise_and(1 << lost_bit) != 0)
            for i, j in _shared_metrics(connection, run, other)
            for won, won_bit, lost, lost_bit in ((here, i, there, j), (there, j, here, i))
        ),
    )
    flips = (
        select(here.c.case_index)
        .select_from(here)
        .join(there, and_(there.c.run == other, match))
        .where(here.c.run == run, flipped)
        for match in (by_id, by_question)
    )
    return RUN_CASES.c.case_index.in_(union_all(*flips))


def _shared_metrics(connection: Connection, run: int, other: int) -> list[tuple[int, int]]:
    first, second = RUN_METRICS.alias("one"), RUN_METRICS.alias("two")
    query = (
        select(first.c.metric_index, second.c.metric_index)
        .join(second, and_(second.c.run == other, second.c.spec == first.c.spec))
        .where(first.c.run == run, first.c.metric_index < BITS, second.c.metric_index < BITS)
    )
    return [(index, other_index) for index, other_index in connection.execute(query)]


_SORTED = RESULTS.alias("sorted")  # the results of the metric whose score sorts
_INDEX_HINT = "INDEXED BY results_by_case"
"""SQLite would read whole results with their bodies for a status; the index contains it."""
