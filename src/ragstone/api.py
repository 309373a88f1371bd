"""The two doors for Python: `evaluate` blocks, `aevaluate` is awaited. One implementation behind both."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset, source_name
from ragstone.event import Emit, broadcast
from ragstone.judges import Judge, get_judge
from ragstone.judges.cached import with_cache
from ragstone.metrics import Metric
from ragstone.metrics._choice import Choice, feedable, preset_metrics, read_metrics
from ragstone.metrics._portal import run_blocking
from ragstone.reports import Collector, Report
from ragstone.reports._clusters import check_cluster
from ragstone.run import OnMissing, Plan, Run
from ragstone.runner import execute
from ragstone.runner._repeats import checked_repeats
from ragstone.telemetry import observe

DEFAULT_PRESET = "rag"
_HELD_IN_MEMORY = 8_000_000
"""Bytes up to which a file is read once and kept; a larger one is read again, row by row."""


async def aevaluate(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    preset: str | Sequence[Metric] | None = None,
    judge: str | Judge | None = None,
    concurrency: int = 16,
    timeout: float = 60.0,  # noqa: ASYNC109  (of each judge call, not of this function)
    measurement_timeout: float | None = None,
    on_missing: OnMissing | None = None,
    limit: int | None = None,
    name: str | None = None,
    repeats: int = 1,
    cluster: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    max_cost: float | None = None,
    cache: bool | str | Path | None = None,
    offline: bool = False,
    progress: bool | None = None,
    listeners: Sequence[Emit] = (),
) -> Report:
    """Measure every metric on every test case of a dataset; see `evaluate`."""
    asked_for, optional = _wanted(metrics, preset)
    answering = with_cache(get_judge(judge, offline=offline), cache, offline=offline)
    rows = _Rows(data, limit)
    check_cluster(rows.cases(), cluster)
    choice = feedable(asked_for, optional, rows.cases(), on_missing or "error")
    plan = Plan(
        metrics=tuple(map(repr, choice.metrics)),
        optional=tuple(repr(metric) for metric in optional) if on_missing is None else (),
        judge=answering.name,
        concurrency=concurrency,
        timeout=timeout,
        measurement_timeout=measurement_timeout,
        on_missing=on_missing or "error",
        dataset=source_name(data),
        name=name,
        repeats=checked_repeats(repeats),
        cluster=cluster,
        rpm=rpm,
        tpm=tpm,
        max_cost=max_cost,
        prompts=_wording(choice, answering),
    )
    collector = Collector()
    observed = observe(answering)
    await execute(
        Run.begin(plan, choice.notes),
        rows,
        choice.metrics,
        observed.judge,
        broadcast(collector, *observed.listeners, *_watching(progress), *listeners),
        total=rows.count(choice),
    )
    return collector.report()


def evaluate(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    preset: str | Sequence[Metric] | None = None,
    judge: str | Judge | None = None,
    concurrency: int = 16,
    timeout: float = 60.0,
    measurement_timeout: float | None = None,
    on_missing: OnMissing | None = None,
    limit: int | None = None,
    name: str | None = None,
    repeats: int = 1,
    cluster: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    max_cost: float | None = None,
    cache: bool | str | Path | None = None,
    offline: bool = False,
    progress: bool | None = None,
    listeners: Sequence[Emit] = (),
) -> Report:
    """Measure every metric on every test case of a dataset; works in a notebook too.

    Args:
        data: test cases or mappings of their fields, a path, `demo`, a data frame or a Hugging Face dataset.
        metrics: metrics, or their specs such as `faithfulness(threshold=0.8)`.
        preset: a group of metrics, such as `rag`, or its metrics as values; those that no test case can feed are left
            out, and where a single test case lacks a field, they are skipped. `rag` where neither metrics nor preset
            are given.
        judge: a judge or its spec; the embedded judge where None: no key is needed and no text leaves the machine.
        concurrency: judge calls in flight at once.
        timeout: seconds for one judge call.
        measurement_timeout: seconds for one metric on one test case; ten times `timeout` where None.
        on_missing: what becomes of a metric on a test case that lacks a field it needs: `error`, `skip`, or `raise`
            before any judge call. None: `error`, for metrics of a preset `skip`.
        limit: most rows of the dataset to read.
        name: what to call the run.
        repeats: how often each metric measures each test case. The judge is really asked each time, with the same words
            and settings; a result's score is the mean, and `Report.repeats` tells the judge's own spread.
        cluster: key of the test cases' metadata by which they are grouped, such as `document`: answers about one
            document stand or fall together, and intervals that ignore it are too narrow.
        rpm: most judge calls a minute.
        tpm: most tokens a minute, sent and received.
        max_cost: most US dollars that the run may cost; once they are spent it stops, incomplete.
        cache: a file in which the judge's answers are kept and found again; True: the one in the user's cache folder.
        offline: answer from the cache alone; what was not recorded becomes an error, and nothing is sent.
        progress: tell on standard error how far the run is; None: only where that is a terminal.
        listeners: called with every event of the run.

    Returns:
        The report: results over test cases, in input order, of the list over metrics. A judge's failure becomes
        `Result.error`, a row that cannot be read one of `rejected`.

    Raises:
        UsageError: what was asked for cannot run, and nothing was asked of the judge: an unknown metric, a bad option,
            a dataset that cannot be opened, a field that no test case has.
    """
    return run_blocking(
        partial(
            aevaluate,
            data,
            metrics,
            preset=preset,
            judge=judge,
            concurrency=concurrency,
            timeout=timeout,
            measurement_timeout=measurement_timeout,
            on_missing=on_missing,
            limit=limit,
            name=name,
            repeats=repeats,
            cluster=cluster,
            rpm=rpm,
            tpm=tpm,
            max_cost=max_cost,
            cache=cache,
            offline=offline,
            progress=progress,
            listeners=listeners,
        )
    )


class _Rows:
    """The rows of a dataset, to be read more than once: what can be read only once, or is small, is kept."""

    def __init__(self, data: object, limit: int | None) -> None:
        self._data = data
        self._limit = limit
        self._kept = None if _is_large(data) else list(islice(read_dataset(data), limit))

    def __iter__(self) -> Iterator[TestCase | BadRow]:
        if self._kept is not None:
            return iter(self._kept)
        return islice(read_dataset(self._data), self._limit)

    def cases(self) -> Iterator[TestCase]:
        """Return the rows that could be read."""
        return (row for row in self if isinstance(row, TestCase))

    def count(self, choice: Choice) -> int | None:
        """Return how many results will come, None where that would mean to read a large dataset to its end."""
        if self._kept is None:
            return None
        return sum(isinstance(row, TestCase) for row in self._kept) * len(choice.metrics)


def _watching(progress: bool | None) -> tuple[Emit, ...]:  # noqa: FBT001  (named by the callers)
    """Return the listener that shows how far the run is, where somebody looks."""
    if not (progress or (progress is None and sys.stderr.isatty())):
        return ()
    from ragstone.reports.progress import progress as on  # noqa: PLC0415  (rich is slow to import, and seldom looked at)

    return (on(sys.stderr),)


def _is_large(data: object) -> bool:
    if isinstance(data, str | Path):
        path = Path(data)
        return path.is_file() and path.stat().st_size > _HELD_IN_MEMORY
    return False


def _wanted(
    metrics: str | Metric | Iterable[str | Metric], preset: str | Sequence[Metric] | None
) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
    """Return the metrics that were asked for by name, and those of the preset."""
    asked_for = read_metrics(metrics)
    if preset is None and not asked_for:
        preset = DEFAULT_PRESET
    optional = preset_metrics(preset) if isinstance(preset, str) else tuple(preset or ())
    return asked_for, tuple(metric for metric in optional if metric not in asked_for)


def _wording(choice: Choice, judge: Any) -> dict[str, str]:  # noqa: ANN401  (a judge that may have `wording`)
    """Return the digest of every prompt's words, where the judge is one that reads words."""
    wording = getattr(judge, "wording", None)
    if wording is None:
        return {}
    prompts = {prompt for metric in choice.metrics for prompt in metric.prompts}
    return {
        prompt.__name__: wording(prompt) for prompt in sorted(prompts, key=lambda prompt: prompt.__name__)
    }
