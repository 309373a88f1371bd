"""Outgoing scores: each has a target (trace, span or session) and an id that is the same at every push."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal, cast

from ragstone.case import TestCase
from ragstone.errors import RagstoneError
from ragstone.metrics.base.parse import find_metric
from ragstone.result import Result

AnnotatorKind = Literal["CODE", "LLM"]

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class ScoreTarget:
    """The trace, span or session that a score belongs to.

    Attributes:
        trace: id of the trace; empty for a session.
        span: id of the span in the trace; None if only the trace is known.
        whole: whether the score belongs to the whole trace instead of the span.
        session: id of the session if the score belongs to a conversation.
    """

    trace: str
    span: str | None = None
    whole: bool = True
    session: str | None = None


@dataclass(frozen=True, slots=True)
class OutgoingScore:
    """A result as it is sent.

    Attributes:
        target: the trace, span or session.
        name: the metric's name.
        score: in [0, 1]; None if there is none.
        label: the status: `passed`, `missed`, `undecided` or `not_measured`; `no_threshold` without one.
        explanation: the metric's reason, or the error of a failed measurement; None if there is neither.
        kind: `CODE` for the embedded judge and for metrics without a judge, `LLM` for a language model.
        identifier: judge and metric with its options; a later score with the same identifier replaces this one.
        run: id of the run.
        time_ns: start of the run in nanoseconds since 1970.
        error: class of the error of a failed measurement.
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
        """Hash of target and identifier, 32 hexadecimal digits."""
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
        yield None if target is None else _outgoing_score(target, result, run, time_ns)


def target_of(case: TestCase) -> ScoreTarget | None:
    """Return the trace, span or session that a test case was made from; None where its metadata tells none."""
    trace: Any = case.metadata.get("trace")
    trace_fields = cast("dict[str, Any]", trace) if isinstance(trace, dict) else {}
    unit = trace_fields.get("unit")
    if unit == "session":
        return ScoreTarget("", session=case.id)
    match = _TRACEPARENT.fullmatch(str(case.metadata.get("traceparent") or ""))
    if match is not None:
        return ScoreTarget(match["trace"], match["span"], whole=unit == "trace")
    return ScoreTarget(case.id) if unit == "trace" else None


def _outgoing_score(target: ScoreTarget, result: Result, run: str, time_ns: int) -> OutgoingScore:
    return OutgoingScore(
        target,
        result.metric,
        result.score,
        result.status or "no_threshold",
        result.error or result.reason,
        "LLM" if ":" in result.judge and _uses_judge(result) else "CODE",
        f"ragstone {result.spec} by {result.judge or 'no judge'}",
        run,
        time_ns,
        result.error_kind or None,
    )


def _uses_judge(result: Result) -> bool:
    """Return whether the metric of a result asks a judge; true for a metric that is not known here.

    The spec comes from a store that others may write to, so a module that it names is not imported.
    """
    name = result.spec.partition("(")[0].partition("@")[0].strip()
    try:
        return ":" in name or bool(find_metric(name).prompts)
    except RagstoneError:
        return True
