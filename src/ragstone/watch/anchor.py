"""The judge's own health: cases with people's labels are judged anew, by the same judge, again and again.

The first check is the baseline. Later ones are compared with it case by case: where the judge is as it was, a case that
changed is as likely to have changed for the better as for the worse, so the number that got worse is binomial(changed,
1/2), and an exact one-sided test (McNemar) raises the alarm in at most a stated share of the checks.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ragstone.case import TestCase
from ragstone.datasets import load_dataset
from ragstone.errors import BadOption, UnknownName
from ragstone.event import Event, MeasurementFinished
from ragstone.judges import get_judge
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics
from ragstone.reports.agreement.human_labels import read_labels
from ragstone.run import Plan, Run
from ragstone.runner.execute import execute
from ragstone.stats.interval import Interval, rate_interval
from ragstone.stats.significance import mcnemar_p_value
from ragstone.store.queue.checks import read_check, save_check
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.watch.alarms import ALARM, OK
from ragstone.watch.plan import AnchorPart, WatchPlan

_KEPT = 30


@dataclass(frozen=True, slots=True)
class AnchorSet:
    """Cases with people's labels, and the metric that they are about.

    Attributes:
        cases: the labelled cases.
        labels: whether people say that each passes.
        metric: the metric.
        content: a hash of the file.
    """

    cases: tuple[TestCase, ...]
    labels: tuple[bool, ...]
    metric: Metric
    content: str


@dataclass(frozen=True, slots=True)
class JudgeHealth:
    """What the last check of a judge against people's labels said.

    Attributes:
        judge: the judge.
        metric: spec of the metric.
        status: `ok` or `alarm`.
        agreed: cases on which judge and people agree.
        n: cases that could be judged.
        failed: cases that could not.
        interval: of the share of agreement, 95 %.
        before: the share of agreement at the baseline.
        better: cases on which they agree now and did not then.
        worse: cases on which they agreed then and do not now.
        at: when it was made, seconds since 1970.
        since: when the baseline was made.
        changes: how often the status changed.
        changed: when it last did; None where it never did.
    """

    judge: str
    metric: str
    status: str
    agreed: int
    n: int
    failed: int
    interval: Interval
    before: float
    better: int
    worse: int
    at: float
    since: float
    changes: int
    changed: float | None

    @property
    def share(self) -> float:
        """The share of cases on which judge and people agree."""
        return self.agreed / self.n

    @property
    def line(self) -> str:
        """What it says in one line."""
        told = "has changed" if self.status == ALARM else "judges as it did"
        return (
            f"the judge {self.judge} {told}: it agrees with people on {self.agreed} of {self.n} anchor cases "
            f"({self.interval.low:.2f} to {self.interval.high:.2f}), at first on {self.before:.2f}; "
            f"{self.worse} got worse, {self.better} better"
        )


def read_anchor_set(plan: WatchPlan) -> AnchorSet | None:
    """Return the anchor set of a plan; None where it has none.

    Raises:
        UsageError: the file cannot be read, has no labels of yes and no, or is about a metric that is not measured.
    """
    part = plan.anchor
    if part is None:
        return None
    cases = load_dataset(part.file).cases
    labels = read_labels(cases, part.label)
    if labels.kind != "yes or no":
        raise BadOption(f"{part.file}: labels of an anchor set are yes or no, not {labels.kind}.")
    known = [
        (case, label == 1.0) for case, label in zip(cases, labels.values, strict=True) if label is not None
    ]
    return AnchorSet(
        tuple(case for case, _ in known),
        tuple(label for _, label in known),
        _metric(part, plan),
        blake2b(Path(part.file).read_bytes(), digest_size=16).hexdigest(),
    )


def _metric(part: AnchorPart, plan: WatchPlan) -> Metric:
    measured = {metric.spec.partition("(")[0]: metric for metric in parse_metrics(plan.metrics)}
    if part.metric is None and len(measured) == 1:
        return next(iter(measured.values()))
    if part.metric is None:
        raise BadOption("anchor.metric: say which of the metrics the labels of the anchor set are about.")
    if part.metric not in measured:
        raise UnknownName("metric of the anchor set", part.metric, measured)
    return measured[part.metric]


async def check_anchor(queue: TraceQueue, plan: WatchPlan) -> JudgeHealth | None:
    """Judge the anchor set anew, and keep what came of it; None where nothing could be judged, or there is none."""
    anchor = read_anchor_set(plan)
    if anchor is None or plan.anchor is None:
        return None
    judge = get_judge(plan.judge.all)
    passed = await _judged(plan, anchor)
    agrees = [None if one is None else one == label for one, label in zip(passed, anchor.labels, strict=True)]
    known = read_check(queue.engine, plan.name, "anchor")
    key = f"{anchor.content} {anchor.metric.spec} {judge.name}"
    outcome = _outcome(known if known.get("key") == key else {}, agrees, plan.anchor.false_alarms)
    if outcome is None:
        return None
    save_check(
        queue.engine,
        plan.name,
        "anchor",
        {**outcome, "key": key, "judge": judge.name, "metric": anchor.metric.spec},
    )
    return read_health(queue, plan)


async def _judged(plan: WatchPlan, anchor: AnchorSet) -> list[bool | None]:
    """Return whether each case passes by the judge of all; None where it could not be measured."""
    judge = get_judge(plan.judge.all)
    described = Plan(
        name=f"{plan.name} (anchor)",
        metrics=(anchor.metric.spec,),
        judge=judge.name,
        on_missing="skip",
        concurrency=plan.judge.concurrency,
        dataset="anchor",
    )
    run = Run(id="anchor", plan=described, started=datetime.now(UTC))
    events: list[Event] = []
    await execute(run, anchor.cases, (anchor.metric,), judge, events.append, total=len(anchor.cases))
    results = {one.case_index: one.result for one in events if isinstance(one, MeasurementFinished)}
    return [
        results[at].success if at in results and results[at].score is not None else None
        for at in range(len(anchor.cases))
    ]


def _outcome(
    known: Mapping[str, Any], agrees: Sequence[bool | None], false_alarms: float
) -> dict[str, Any] | None:
    """Return the outcome of a check as JSON holds it, after the outcome before; None where nothing was judged."""
    now = time.time()
    if all(one is None for one in agrees):
        return None
    first = known.get("first", list(agrees))
    pairs = [(was, one) for was, one in zip(first, agrees, strict=True) if None not in (was, one)]
    better = sum(bool(one) and not was for was, one in pairs)
    worse = sum(bool(was) and not one for was, one in pairs)
    falls = worse > better and mcnemar_p_value(better, worse) / 2 <= false_alarms
    status, before = ALARM if falls else OK, known.get("status", OK)
    shares = [one for one in agrees if one is not None]
    return {
        "first": first,
        "since": known.get("since", now),
        "at": now,
        "agreed": sum(shares),
        "n": len(shares),
        "failed": len(agrees) - len(shares),
        "better": better,
        "worse": worse,
        "status": status,
        "changes": known.get("changes", 0) + (status != before),
        "changed": now if status != before else known.get("changed"),
        "history": [*known.get("history", []), [now, sum(shares), len(shares)]][-_KEPT:],
    }


def read_health(queue: TraceQueue, plan: WatchPlan) -> JudgeHealth | None:
    """Return what the last check of the anchor set said; None before the first, or without one."""
    known = read_check(queue.engine, plan.name, "anchor")
    if plan.anchor is None or not known:
        return None
    first = [one for one in known["first"] if one is not None]
    return JudgeHealth(
        known["judge"],
        known["metric"],
        known["status"],
        known["agreed"],
        known["n"],
        known["failed"],
        rate_interval(known["agreed"], known["n"]),
        sum(first) / len(first),
        known["better"],
        known["worse"],
        known["at"],
        known["since"],
        known["changes"],
        known["changed"],
    )
