"""Scores on their way out: which trace or span each is of, and an id that is the same at every push."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal, cast

from ragstone.case import TestCase
from ragstone.errors import RagstoneError
from ragstone.metrics import parse
from ragstone.result import Result

AnnotatorKind = Literal["CODE", "LLM"]
NOT_MEASURED = "not_measured"
"""Label of a result without a score."""

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class ScoreTarget:
    """What a score is of.

    Attributes:
        trace: id of the trace; empty for a session.
        span: id of the span that stands for it; None where only the trace is known.
        whole: whether the score is of the whole trace rather than of that span.
        session: id of the session, where the score is of a conversation.
    """

    trace: str
    span: str | None = None
    whole: bool = True
    session: str | None = None


@dataclass(frozen=True, slots=True)
class OutgoingScore:
    """A result as it is sent.

    Attributes:
        target: what it is of.
        name: the metric's name.
        score: in [0, 1]; None where it could not be measured.
        label: `pass`, `fail`, or `not_measured`.
        explanation: the metric's reason, or what prevented a measurement; None where neither is told.
        kind: `CODE` for the embedded judge and for metrics that ask none, `LLM` for a language model.
        identifier: judge and metric with its options: a later score with the same one takes the place of this.
        run: id of the run.
        time_ns: when the run began, in nanoseconds since 1970.
        error: class of what prevented a measurement.
    """

    target: ScoreTarget
    name: str
    score: float | None
    label: str
    explanation: str | None
    kind: AnnotatorKind
    identifier: str
    run: str
    time_ns: int
    error: str | None = None

    @property
    def id(self) -> str:
        """32 hexadecimal digits, made from target and identifier."""
        target = self.target
        parts = (target.trace, target.span or "", str(target.whole), target.session or "", self.identifier)
        return blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def outgoing_scores(
    results: Iterable[tuple[TestCase, Result]], run: str, time_ns: int
) -> Iterator[OutgoingScore | None]:
    """Yield what is sent for each result; None for a result whose test case belongs to no trace.

    Skipped results are passed over: the metric had nothing to measure.

    Args:
        results: test cases and their results.
        run: id of the run.
        time_ns: when it began, in nanoseconds since 1970.
    """
    for case, result in results:
        if result.skipped:
            continue
        target = target_of(case)
        yield None if target is None else _score(target, result, run, time_ns)


def target_of(case: TestCase) -> ScoreTarget | None:
    """Return the trace, span or session that a test case was made from; None where its metadata tells none."""
    trace: Any = case.metadata.get("trace")
    read = cast("dict[str, Any]", trace) if isinstance(trace, dict) else {}
    unit = read.get("unit")
    if unit == "session":
        return ScoreTarget("", session=case.id)
    found = _TRACEPARENT.fullmatch(str(case.metadata.get("traceparent") or ""))
    if found is not None:
        return ScoreTarget(found["trace"], found["span"], whole=unit == "trace")
    return ScoreTarget(case.id) if unit == "trace" else None


def _score(target: ScoreTarget, result: Result, run: str, time_ns: int) -> OutgoingScore:
    measured = result.score is not None
    return OutgoingScore(
        target,
        result.metric,
        result.score,
        result.status.lower() if measured else NOT_MEASURED,
        result.reason if measured else result.error,
        "LLM" if ":" in result.judge and _asks(result) else "CODE",
        f"ragstone {result.spec or result.metric} by {result.judge or 'no judge'}",
        run,
        time_ns,
        None if measured else result.error_kind,
    )


def _asks(result: Result) -> bool:
    """Return whether the metric asks a judge; one that cannot be found here is thought to."""
    try:
        return bool(parse(result.spec).prompts)
    except RagstoneError:
        return True
