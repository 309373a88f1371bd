"""Checks of the judges: cases with human labels are judged again at intervals, by the same judges."""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from time import time

from ragstone.case import TestCase
from ragstone.datasets import load_dataset
from ragstone.errors import BadOption, UnknownName
from ragstone.event import Event, MeasurementFinished
from ragstone.findings.agreement.human_labels import read_labels
from ragstone.judges import Judge, get_judge
from ragstone.metric_label import base_name
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.runner.execute import execute
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.queue.watch_state import read_check, save_check
from ragstone.watch.judge_check import AnchorResults, JudgeCheck, check_name, judge_check
from ragstone.watch.plan import AnchorPart, WatchPlan


@dataclass(frozen=True, slots=True)
class AnchorSet:
    """Cases with human labels, whether each passes, the metric that they are about, and a hash of the file."""

    cases: tuple[TestCase, ...]
    labels: tuple[bool, ...]
    metric: Metric
    content: str


def read_anchor_set(plan: WatchPlan) -> AnchorSet | None:
    """Return the anchor set of a plan; None where it has none.

    Raises:
        UsageError: the file cannot be read, its labels are not yes and no, or their metric is not measured.
    """
    part = plan.anchor
    if part is None:
        return None
    cases = load_dataset(part.file).cases
    labels = read_labels(cases, part.label)
    if labels.kind != "yes or no":
        raise BadOption(f"{part.file}: the labels of an anchor set must be yes or no, not {labels.kind}.")
    places = [place for place, label in enumerate(labels.values) if label is not None]
    content = blake2b(Path(part.file).read_bytes(), digest_size=16).hexdigest()
    passes = tuple(labels.values[place] == 1.0 for place in places)
    return AnchorSet(tuple(cases[place] for place in places), passes, _anchor_metric(part, plan), content)


def _anchor_metric(part: AnchorPart, plan: WatchPlan) -> Metric:
    measured = {base_name(metric.spec): metric for metric in parse_metrics(plan.metrics)}
    if part.metric is None and len(measured) == 1:
        return next(iter(measured.values()))
    if part.metric is None:
        raise BadOption(
            "anchor.metric is not set, and there are several metrics: give the one that the labels of the anchor set "
            "are about."
        )
    if part.metric not in measured:
        raise UnknownName("metric of the anchor set", part.metric, measured)
    return measured[part.metric]


def checked_judges(plan: WatchPlan) -> tuple[str, ...]:
    """Return which judges of a plan are checked: `all`, `sample`; a judge that is both is checked once."""
    part = plan.anchor
    if part is None:
        return ()
    specs = {"all": plan.judge.all, "sample": plan.judge.sample}
    names = [name for name in ("all", "sample") if name in part.judges and specs[name] is not None]
    return tuple(names[:1] if plan.judge.sample == plan.judge.all else names)


async def check_anchor(queue: TraceQueue, plan: WatchPlan, judged_by: str = "all") -> JudgeCheck | None:
    """Judge the anchor set again, store the result and return it; None without an anchor set.

    `judged_by` is the judge of `all` traces, or that of the `sample`.
    """
    anchor = read_anchor_set(plan)
    spec = plan.judge.all if judged_by == "all" else plan.judge.sample
    if anchor is None or plan.anchor is None or spec is None:
        return None
    judge = get_judge(spec)
    results = await _judge_anchor_set(plan, anchor, judge)
    check = AnchorResults(
        key=f"{anchor.content} {anchor.metric.spec} {judge.name}",
        judge=judge.name,
        metric=anchor.metric.spec,
        agrees=tuple(
            None if result is None or result.status not in ("passed", "missed") else result.success == label
            for result, label in zip(results, anchor.labels, strict=True)
        ),
        error=next((result.error for result in results if result is not None and result.error), ""),
    )
    place = (queue.engine, plan.name, check_name(judged_by))
    save_check(*place, check.after(read_check(*place), plan.anchor.false_alarms, time()))
    return read_judge_check(queue, plan, judged_by)


async def _judge_anchor_set(plan: WatchPlan, anchor: AnchorSet, judge: Judge) -> list[Result | None]:
    run_plan = Plan(
        name=f"{plan.name} (anchor)",
        metrics=(anchor.metric.spec,),
        judge=judge.name,
        on_missing="skip",
        concurrency=plan.judge.concurrency,
        dataset="anchor",
    )
    run = Run(id="anchor", plan=run_plan, started=datetime.now(UTC))
    events: list[Event] = []
    await execute(run, anchor.cases, (anchor.metric,), judge, events.append, total=len(anchor.cases))
    results = {event.case_index: event.result for event in events if isinstance(event, MeasurementFinished)}
    return [results.get(index) for index in range(len(anchor.cases))]


def read_judge_checks(queue: TraceQueue, plan: WatchPlan) -> list[JudgeCheck]:
    """Return the outcome of each judge's checks; empty before the first, or without an anchor set."""
    checks = (read_judge_check(queue, plan, judged_by) for judged_by in checked_judges(plan))
    return [check for check in checks if check is not None]


def read_judge_check(queue: TraceQueue, plan: WatchPlan, judged_by: str = "all") -> JudgeCheck | None:
    """Return the outcome of a judge's checks; None before the first, or without an anchor set."""
    stored = read_check(queue.engine, plan.name, check_name(judged_by))
    return None if plan.anchor is None or not stored else judge_check(judged_by, stored)
