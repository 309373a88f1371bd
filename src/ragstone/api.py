"""The two doors for Python: `evaluate` blocks, `aevaluate` is awaited. One implementation behind both."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset, source_name
from ragstone.errors import BadOption
from ragstone.event import Emit, broadcast
from ragstone.judges import Judge, get_judge
from ragstone.judges.cached import with_cache
from ragstone.metrics import Metric, parse
from ragstone.metrics._choice import Choice, feedable, preset_metrics, read_metrics
from ragstone.metrics._portal import run_blocking
from ragstone.reports import Collector, Report
from ragstone.reports._clusters import check_cluster
from ragstone.result import Usage
from ragstone.run import OnMissing, Plan, Run
from ragstone.runner import Estimate, execute
from ragstone.runner import estimate as estimated
from ragstone.runner._repeats import checked_repeats
from ragstone.telemetry import observe

if TYPE_CHECKING:
    from ragstone.reports._keeping import Keeping
    from ragstone.store._past import StoredPast

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
    tags: Sequence[str] = (),
    repeats: int = 1,
    cluster: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    max_cost: float | None = None,
    cache: bool | str | Path | None = None,
    offline: bool = False,
    store: bool | str | Path | None = None,
    resume: str | None = None,
    progress: bool | None = None,
    listeners: Sequence[Emit] = (),
) -> Report:
    """Measure every metric on every test case of a dataset; see `evaluate`."""
    keeping, before = _open(store, resume)
    answering = with_cache(get_judge(before.judge(judge), offline=offline), cache, offline=offline)
    rows = _Rows(data, limit)
    check_cluster(rows.cases(), cluster)
    asked_for, optional = before.metrics(metrics, preset)
    choice = feedable(asked_for, optional, rows.cases(), on_missing or "error")
    plan = Plan(
        metrics=tuple(metric.spec for metric in choice.metrics),
        optional=tuple(metric.spec for metric in optional) if on_missing is None else (),
        judge=answering.name,
        concurrency=concurrency,
        timeout=timeout,
        measurement_timeout=measurement_timeout,
        on_missing=on_missing or "error",
        dataset=source_name(data),
        name=name,
        tags=tuple(tags),
        repeats=checked_repeats(repeats),
        cluster=cluster,
        rpm=rpm,
        tpm=tpm,
        max_cost=max_cost,
        prompts=_wording(choice, answering),
    )
    observed = observe(answering)
    _refuse_unpriced(answering, max_cost)
    run, past = before.continued(plan) if before.run else Run.begin(plan, choice.notes), before.past
    total = rows.count(choice)
    await execute(
        run,
        rows,
        choice.metrics,
        observed.judge,
        broadcast(keeping, *observed.listeners, *_watching(progress), *listeners),
        total=total if total is None or past is None else total - past.count,
        past=past,
        kept=keeping.kept,
    )
    return keeping.report()


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
    tags: Sequence[str] = (),
    repeats: int = 1,
    cluster: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    max_cost: float | None = None,
    cache: bool | str | Path | None = None,
    offline: bool = False,
    store: bool | str | Path | None = None,
    resume: str | None = None,
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
        tags: labels to find the run by in a store.
        repeats: how often each metric measures each test case. The judge is really asked each time, with the same words
            and settings; a result's score is the mean, and `Report.repeats` tells the judge's own spread.
        cluster: key of the test cases' metadata by which they are grouped, such as `document`: answers about one
            document stand or fall together, and intervals that ignore it are too narrow.
        rpm: most judge calls a minute.
        tpm: most tokens a minute, sent and received.
        max_cost: most US dollars that the run may cost; once they are spent it stops, incomplete.
        cache: a file in which the judge's answers are kept and found again; True: the one in the user's cache folder.
        offline: answer from the cache alone; what was not recorded becomes an error, and nothing is sent.
        store: where the run is kept as it goes: a file, `postgresql://user@host/database`, or True for the file in the
            user's data folder. The report then reads its results from there, so that memory stays flat.
        resume: the run to continue: its id, its name, or `last`. What has a result is not measured again, what was
            answered is not asked again. Dataset, metrics and judge are those it was begun with.
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
            tags=tags,
            repeats=repeats,
            cluster=cluster,
            rpm=rpm,
            tpm=tpm,
            max_cost=max_cost,
            cache=cache,
            offline=offline,
            store=store,
            resume=resume,
            progress=progress,
            listeners=listeners,
        )
    )


def _open(store: bool | str | Path | None, resume: str | None) -> "tuple[Collector | Keeping, _Before]":  # noqa: FBT001
    """Return who keeps the results, and the run that is to be continued."""
    if resume is None and (store is None or store is False):
        return Collector(), _Before()
    from ragstone.reports._keeping import Keeping  # noqa: PLC0415  (a run without a store needs no database)

    keeping = Keeping(store)
    return keeping, _Before(*keeping.past(resume)) if resume is not None else _Before()


class _Before(NamedTuple):
    """The run that is to be continued, if any, and what it has done."""

    run: Run | None = None
    past: "StoredPast | None" = None

    def judge(self, given: str | Judge | None) -> str | Judge | None:
        """Return the judge to ask: the one that is given, or the one that was asked before."""
        return self.run.plan.judge if given is None and self.run is not None else given

    def metrics(
        self, given: str | Metric | Iterable[str | Metric], preset: str | Sequence[Metric] | None
    ) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
        """Return the metrics of the run that is continued; else those asked for by name, and those of the preset.

        Raises:
            BadOption: others are given.
        """
        if self.run is None:
            return _wanted(given, preset)
        known = tuple(parse(spec) for spec in self.run.plan.metrics)
        if preset is None and not given:
            return known, ()
        asked_for, optional = _wanted(given, preset)
        if not {*known} <= {*asked_for, *optional}:
            specs = ", ".join(metric.spec for metric in known)
            raise BadOption(
                f"A resumed run keeps its metrics: name none, or those it was begun with: {specs}"
            )
        return known, ()

    def continued(self, plan: Plan) -> Run:
        """Return the run with a plan that may ask at another pace, but asks the same.

        Raises:
            BadOption: it would ask something else.
        """
        if self.run is None:
            raise AssertionError
        mine = self.run.plan
        for what, then, now in (
            ("judge", mine.judge, plan.judge),
            ("wording of the prompts", mine.prompts, plan.prompts),
        ):
            if then != now:
                raise BadOption(
                    f"The run {self.run.id} was begun with another {what} ({then!r}, now {now!r}): begin a new run."
                )
        kept = {"metrics", "optional", "on_missing", "name", "tags", "dataset", "repeats", "cluster"}
        return self.run.model_copy(
            update={"plan": plan.model_copy(update={item: getattr(mine, item) for item in kept})}
        )


def _refuse_unpriced(judge: Any, max_cost: float | None) -> None:  # noqa: ANN401  (a judge that may have `price`)
    """Refuse a budget for a judge whose prices are not known, before anything is asked.

    Raises:
        BadOption: it could not be kept.
    """
    price = getattr(judge, "price", None)
    if max_cost is not None and price is not None and price(Usage(input_tokens=1)) is None:
        raise BadOption(
            f"max_cost={max_cost:g} cannot be kept: no price is known for {judge.name}. Give the judge prices, such as "
            "LLMJudge(provider=…, prices={'my-model': (0.5, 0.1, 1.5)})."
        )


def estimate(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    preset: str | Sequence[Metric] | None = None,
    judge: str | Judge | None = None,
    on_missing: OnMissing | None = None,
    limit: int | None = None,
    repeats: int = 1,
    cache: bool | str | Path | None = None,
) -> Estimate:
    """Return what `evaluate` would take: calls, tokens and dollars. Nothing is sent.

    Args:
        data: as for `evaluate`.
        metrics: likewise.
        preset: likewise.
        judge: likewise; it needs no key.
        on_missing: likewise.
        limit: likewise.
        repeats: likewise.
        cache: likewise; what it holds takes nothing.

    Raises:
        UsageError: as for `evaluate`.
    """
    asked_for, optional = _wanted(metrics, preset)
    answering = with_cache(get_judge(judge, offline=True), cache)
    rows = _Rows(data, limit)
    choice = feedable(asked_for, optional, rows.cases(), on_missing or "error")
    plan = Plan(
        metrics=tuple(metric.spec for metric in choice.metrics),
        optional=tuple(metric.spec for metric in optional) if on_missing is None else (),
        judge=answering.name,
        on_missing=on_missing or "error",
        repeats=checked_repeats(repeats),
    )
    return run_blocking(estimated, plan, rows, choice.metrics, answering)


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
