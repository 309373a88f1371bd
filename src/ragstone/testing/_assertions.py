"""The four assertions: passes, fails, has a score within bounds, passes several metrics at once."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from typing import Any, Literal, NamedTuple
from unittest import SkipTest

from ragstone.arguments import with_threshold
from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.config import Settings
from ragstone.errors import BadOption, RagstoneError, UnknownName, UsageError, describe
from ragstone.judges import JudgeLike
from ragstone.metrics import Metric, parse
from ragstone.result import Result
from ragstone.testing._outcomes import (
    RepeatedResult,
    combine_repeats,
    not_measured,
    out_of_range,
    score_text,
    several_failures,
    unexpected_status,
)
from ragstone.testing.records import record
from ragstone.testing.session_evaluator import MeasurementRequest, SessionEvaluator, without_cache
from ragstone.testing.session_state import SESSION_STATE, CurrentTest

MetricLike = str | Metric | type[Metric]
OnMissing = Literal["error", "skip"]
_TOLERANCE = 1e-9


class _MeasureOptions(NamedTuple):
    """The options of an assertion that are not the metric's."""

    judge: str | JudgeLike | None = None
    repeats: int = 1
    on_missing: OnMissing = "error"


def assert_passes(
    case: TestCase,
    metric: MetricLike,
    *,
    judge: str | JudgeLike | None = None,
    repeats: int = 1,
    on_missing: OnMissing = "error",
    **options: Any,  # noqa: ANN401  (each metric's own)
) -> Result:
    """Assert that a test case passes a metric, and return its result.

    Args:
        case: the test case.
        metric: a metric, its class, or its spec such as `faithfulness(threshold=0.8)`.
        judge: a judge or its spec. By default the fixture `judge` of the test, else what `--judge`, the ini
            option `ragstone_judge` or the configuration names, else the embedded judge.
        repeats: how often to measure. With 2 or more, the case passes only if the whole 95 % interval of the mean lies
            on the passing side of the threshold.
        on_missing: whether a case that the metric cannot be measured on is an `error`, or skips the test.
        options: options of the metric, such as `threshold=0.8`.

    Raises:
        AssertionError: it scored on the wrong side of the threshold, or repeats leave the result undecided.
        NotMeasured: it could not be measured: a field is missing, or the judge failed.
        UsageError: the call is wrong, such as an unknown metric.
    """
    __tracebackhide__ = True
    return assert_evaluation(case, [metric], judge=judge, repeats=repeats, on_missing=on_missing, **options)[
        0
    ]


def assert_fails(
    case: TestCase,
    metric: MetricLike,
    *,
    judge: str | JudgeLike | None = None,
    repeats: int = 1,
    on_missing: OnMissing = "error",
    **options: Any,  # noqa: ANN401  (each metric's own)
) -> Result:
    """Assert that a test case is scored, and on the wrong side of the threshold; see `assert_passes`.

    A failure to measure is an error, never the failure that was asserted.
    """
    __tracebackhide__ = True
    (outcome,) = _measure(case, [metric], options, _MeasureOptions(judge, repeats, on_missing))
    if outcome.status != "missed":
        raise AssertionError(unexpected_status(outcome, expected="missed"))
    return outcome.result


def assert_score(
    case: TestCase,
    metric: MetricLike,
    *,
    min: float | None = None,  # noqa: A002  (the words of the public surface)
    max: float | None = None,  # noqa: A002
    exact: float | None = None,
    delta: float = _TOLERANCE,
    judge: str | JudgeLike | None = None,
    repeats: int = 1,
    on_missing: OnMissing = "error",
    **options: Any,  # noqa: ANN401  (each metric's own)
) -> Result:
    """Assert that a score lies within bounds, regardless of the threshold; see `assert_passes`.

    Args:
        case: the test case.
        metric: a metric, its class, or its spec.
        min: least score.
        max: greatest score.
        exact: the score, give or take `delta`.
        delta: tolerance of `exact`.
        judge: a judge or its spec.
        repeats: how often to measure; the bounds then apply to the mean.
        on_missing: whether a case that the metric cannot be measured on is an `error`, or skips the test.
        options: options of the metric.

    Raises:
        AssertionError: the score is out of bounds.
        NotMeasured: there is no score.
        UsageError: no bound was given, or the call is wrong otherwise.
    """
    __tracebackhide__ = True
    bounds = _Bounds(min, max, exact, delta)
    if (min, max, exact) == (None, None, None):
        raise BadOption("assert_score has no bound: write min=, max= or exact=")
    (outcome,) = _measure(case, [metric], options, _MeasureOptions(judge, repeats, on_missing))
    score = outcome.result.score
    if score is None or not bounds.hold(score):
        raise AssertionError(out_of_range(outcome, bounds.words))
    return outcome.result


def assert_evaluation(
    case: TestCase,
    metrics: Sequence[MetricLike],
    *,
    judge: str | JudgeLike | None = None,
    repeats: int = 1,
    on_missing: OnMissing = "error",
    **options: Any,  # noqa: ANN401  (those of every metric)
) -> list[Result]:
    """Assert that a test case passes every metric; return the results in the order of the metrics.

    All metrics are measured, at the same time, before the assertion fails. See `assert_passes`.
    """
    __tracebackhide__ = True
    outcomes = _measure(case, metrics, options, _MeasureOptions(judge, repeats, on_missing))
    failures = [outcome for outcome in outcomes if outcome.status != "passed"]
    if len(failures) == 1:
        raise AssertionError(unexpected_status(failures[0], expected="passed"))
    if failures:
        raise AssertionError(several_failures(failures))
    return [outcome.result for outcome in outcomes]


class _Bounds(NamedTuple):
    low: float | None = None
    high: float | None = None
    exact: float | None = None
    delta: float = _TOLERANCE

    def hold(self, score: float) -> bool:
        """Return whether a score lies within the bounds, inclusive and up to rounding."""
        low = score if self.low is None else self.low
        high = score if self.high is None else self.high
        exact = score if self.exact is None else self.exact
        is_exact = abs(score - exact) <= self.delta + _TOLERANCE
        return is_exact and low - _TOLERANCE <= score <= high + _TOLERANCE

    @property
    def words(self) -> str:
        """The bounds in words."""
        parts = [f"at least {score_text(self.low)}"] if self.low is not None else []
        parts += [f"at most {score_text(self.high)}"] if self.high is not None else []
        if self.exact is not None:
            tolerance = f", give or take {self.delta:g}" if self.delta > _TOLERANCE else ""
            parts.append(f"exactly {score_text(self.exact)}{tolerance}")
        return " and ".join(parts)


def _measure(
    case: TestCase, named: Sequence[MetricLike], metric_options: dict[str, Any], options: _MeasureOptions
) -> list[RepeatedResult]:
    __tracebackhide__ = True
    metrics = [_resolve_metric(metric, metric_options) for metric in named]
    if options.repeats < 1:
        raise BadOption(f"repeats={options.repeats!r} measures nothing: write 1 or more")
    if not metrics:
        raise BadOption("assert_evaluation has no metric: write [Faithfulness()] or ['faithfulness']")
    for metric in metrics:
        failure = case.metadata.get(APPLICATION_ERROR)
        if failure is not None and not metric.measures_application:
            _raise_not_measured(metric.title, f"ApplicationError: {failure}", options)
        missing = metric.missing(case)
        if missing:
            _raise_not_measured(
                metric.title, f"Missing required parameters: {', '.join(missing)}", options, missing=True
            )
    with _evaluator() as (evaluator, current):
        answers = _request_results(evaluator, current, case, metrics, options)
    outcomes: list[RepeatedResult] = []
    for results in answers:  # no comprehension: it would add a frame to the traceback of the failure
        outcomes.append(_combine(results, current, options))  # noqa: PERF401
    return outcomes


def _request_results(
    evaluator: SessionEvaluator,
    current: CurrentTest,
    case: TestCase,
    metrics: Sequence[Metric],
    options: _MeasureOptions,
) -> list[list[Result]]:
    """Return the results of each metric, all measured at the same time."""
    __tracebackhide__ = True
    resolved = evaluator.judges.resolve(current.judge if options.judge is None else options.judge, current)
    upcoming = (
        partial(evaluator.upcoming, current.upcoming_cases, case, metrics) if resolved.shareable else None
    )
    unique_metrics = tuple(dict.fromkeys(metrics))
    judge = resolved.judge if options.repeats == 1 else without_cache(resolved.judge)
    rows = [
        evaluator.submit(case, MeasurementRequest(unique_metrics, judge, repeat, current.name), upcoming)
        for repeat in range(options.repeats)
    ]
    try:
        return [[row[metric].result() for row in rows] for metric in metrics]
    except UsageError:
        raise
    except RagstoneError as error:
        raise not_measured(metrics[0].title, describe(error)) from error


def _combine(results: Sequence[Result], current: CurrentTest, options: _MeasureOptions) -> RepeatedResult:
    """Combine the repeats; one without a score makes the measurement fail."""
    __tracebackhide__ = True
    unscored = next((result for result in results if not result.is_measured), None)
    if unscored is not None:
        current.records.append(record(unscored))
        _raise_not_measured(
            unscored.metric,
            unscored.error or unscored.reason or "no score",
            options,
            missing=unscored.skipped,
        )
    outcome = combine_repeats(results)
    current.records.append(record(outcome.result, outcome.status))
    return outcome


def _raise_not_measured(metric: str, error: str, options: _MeasureOptions, *, missing: bool = False) -> None:
    """Raise for a metric without a score, or skip the test if a field is missing and `on_missing` is `skip`."""
    __tracebackhide__ = True
    if missing and options.on_missing == "skip":
        raise SkipTest(f"{metric}: {error}")
    raise not_measured(metric, error, missing=error.startswith("Missing"))


@contextmanager
def _evaluator() -> Generator[tuple[SessionEvaluator, CurrentTest]]:
    """Yield the evaluator of the session or, outside pytest, one for this assertion."""
    state = SESSION_STATE.get()
    if state is not None:
        yield state.open_evaluator(), state.current
        return
    with SessionEvaluator() as evaluator:
        yield evaluator, CurrentTest()


def _resolve_metric(metric: MetricLike, options: dict[str, Any]) -> Metric:
    """Return the metric with the options of the assertion."""
    resolved = parse(metric) if isinstance(metric, str) else metric
    option_names = [item.name for item in fields(resolved)]
    unknown = next((option for option in options if option not in option_names), None)
    if unknown is not None:
        name = resolved.__name__ if isinstance(resolved, type) else resolved.title
        raise BadOption(str(UnknownName(f"option of {name}", unknown, option_names)))
    try:
        resolved = resolved(**options) if isinstance(resolved, type) else replace(resolved, **options)
    except TypeError as error:  # a required option of the metric
        raise BadOption(f"{metric}: {error}") from error
    has_threshold = "threshold" in options or (isinstance(metric, str) and "threshold" in metric)
    return with_threshold(resolved, _settings(), named=has_threshold or isinstance(metric, Metric))


def _settings() -> Settings:
    state = SESSION_STATE.get()
    return Settings() if state is None else state.open_evaluator().settings
