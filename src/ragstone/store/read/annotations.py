"""Annotations: people's verdicts on a test case, a result or a claim, one per person and target."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, and_, delete, func, select

from ragstone.errors import NotInStore, UsageError
from ragstone.store.queue.scores import update_human_scores
from ragstone.store.schema.tables import ANNOTATIONS, RUN_CASES, now
from ragstone.store.write.aggregates import insert_into
from ragstone.store.write.rows import Row, digest, storable_text
from ragstone.verdict import VerdictValue

WORDS: tuple[VerdictValue, ...] = ("yes", "no", "idk")
LONGEST = 200
_NO_STATEMENT = -1


@dataclass(frozen=True, slots=True)
class Target:
    """What is annotated.

    Attributes:
        spec: spec of the metric whose result is annotated; empty for the whole test case.
        statement: index, from 0, of the claim or statement among the result's verdicts; None for the whole result.
    """

    spec: str = ""
    statement: int | None = None


CAUSE = Target("cause")
"""The cause behind a case, checked by a person: the note names it, or says `passed`. No judgement of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One person's verdict.

    Attributes:
        case_index: index of the test case in its run, from 0.
        case_id: its id.
        target: what is annotated: the case, a metric's result, or one claim.
        claim: text of the claim; empty for a whole case or result.
        annotator: the person.
        verdict: yes (right, supported, passes), no, or idk.
        note: the reason.
        created: when it was made, UTC.
        updated: when it was last changed, UTC.
    """

    case_index: int
    case_id: str
    target: Target
    claim: str
    annotator: str
    verdict: VerdictValue
    note: str
    created: datetime
    updated: datetime


class Annotations:
    """The annotations in a store."""

    def __init__(self, engine: Engine) -> None:
        """Use the database of `engine`."""
        self._engine = engine

    def put(
        self,
        run: int,
        case_index: int,
        annotator: str,
        verdict: VerdictValue,
        *,
        target: Target = Target(),
        claim: str = "",
        note: str = "",
    ) -> Annotation:
        """Keep a person's verdict, replacing the same person's earlier one on the same target.

        Args:
            run: number of the run.
            case_index: index of the test case in it, from 0.
            annotator: the person.
            verdict: yes, no or idk.
            target: what is annotated.
            claim: text of the annotated claim.
            note: the reason.

        Raises:
            UsageError: there is no such test case, no annotator, or no such verdict.
        """
        if verdict not in WORDS:
            raise UsageError(f"{verdict!r} is not a verdict: give yes, no or idk")
        if not 0 < len(annotator.strip()) <= LONGEST:
            raise UsageError(
                f"{annotator[:40]!r} is not a valid annotator: give a name of 1 to {LONGEST} characters"
            )
        row = self._target_row(run, case_index, target) | {
            "claim": storable_text(claim),
            "annotator": storable_text(annotator.strip()),
            "verdict": verdict,
            "note": storable_text(note),
        }
        self._upsert(row)
        return next(item for item in self.of(run, case_index, row["annotator"]) if item.target == target)

    def remove(self, run: int, case_index: int, annotator: str, target: Target = Target()) -> bool:
        """Delete a person's annotation; return whether there was one."""
        c = ANNOTATIONS.c
        key = and_(*(c[name] == value for name, value in _key(run, case_index, annotator, target).items()))
        with self._engine.begin() as connection:
            removed = connection.execute(delete(ANNOTATIONS).where(key)).rowcount > 0
            update_human_scores(connection, run, case_index)
        return removed

    def of(self, run: int, case_index: int | None = None, annotator: str | None = None) -> list[Annotation]:
        """Return the annotations of a run, by test case and claim."""
        c = ANNOTATIONS.c
        query = select(ANNOTATIONS).where(c.run == run)
        if case_index is not None:
            query = query.where(c.case_index == case_index)
        if annotator is not None:
            query = query.where(c.annotator == annotator)
        order = (c.case_index, c.spec, c.statement, c.annotator)
        with self._engine.connect() as connection:
            return [_to_annotation(row) for row in connection.execute(query.order_by(*order)).mappings()]

    def annotators(self, run: int) -> dict[str, int]:
        """Return the number of annotations of a run by annotator."""
        c = ANNOTATIONS.c
        query = select(c.annotator, func.count()).where(c.run == run).group_by(c.annotator)
        with self._engine.connect() as connection:
            return {name: int(count) for name, count in connection.execute(query.order_by(c.annotator))}

    def _target_row(self, run: int, case_index: int, target: Target) -> Row:
        c = RUN_CASES.c
        query = select(c.case_id).where(c.run == run, c.case_index == case_index)
        with self._engine.connect() as connection:
            case_id = connection.execute(query).scalar()
        if case_id is None:
            raise NotInStore(f"The run has no measured test case {case_index + 1}")
        return {**_key(run, case_index, "", target), "case_id": case_id, "spec": storable_text(target.spec)}

    def _upsert(self, row: Row) -> None:
        timestamp = now()
        with self._engine.begin() as connection:
            statement = insert_into(connection, ANNOTATIONS)
            updates = {name: statement.excluded[name] for name in ("claim", "verdict", "note", "updated")}
            statement = statement.on_conflict_do_update(index_elements=list(_KEY_COLUMNS), set_=updates)
            connection.execute(statement, [row | {"created": timestamp, "updated": timestamp}])
            update_human_scores(connection, row["run"], row["case_index"])


_KEY_COLUMNS = ("run", "case_index", "about", "statement", "annotator")


def _key(run: int, case_index: int, annotator: str, target: Target) -> Row:
    statement = _NO_STATEMENT if target.statement is None else target.statement
    values = (run, case_index, digest(target.spec), statement, annotator)
    return dict(zip(_KEY_COLUMNS, values, strict=True))


def _to_annotation(row: Mapping[Any, Any]) -> Annotation:
    statement = None if row["statement"] == _NO_STATEMENT else row["statement"]
    return Annotation(
        **{name: row[name] for name in ("case_index", "case_id", "claim", "annotator", "verdict", "note")},
        target=Target(row["spec"], statement),
        created=datetime.fromisoformat(row["created"]),
        updated=datetime.fromisoformat(row["updated"]),
    )


def by_target(annotations: Iterable[Annotation]) -> dict[tuple[int, Target], dict[str, Annotation]]:
    """Return the annotations by test case and target, and then by annotator."""
    grouped: dict[tuple[int, Target], dict[str, Annotation]] = {}
    for annotation in annotations:
        grouped.setdefault((annotation.case_index, annotation.target), {})[annotation.annotator] = annotation
    return grouped
