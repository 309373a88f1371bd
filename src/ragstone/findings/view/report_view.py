"""The view model of a report, shown by every rendering for people."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.findings.clusters import clusters
from ragstone.findings.numbers import count, dollars, duration, percent
from ragstone.findings.report import Report
from ragstone.findings.view.failures import ErrorGroup, group_errors
from ragstone.findings.view.headline import RunFacts, headline_text, sureness
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.findings.view.refusals import refusal_notes
from ragstone.findings.view.repeats import RepeatsView, repeats_views
from ragstone.findings.view.turn_results import conversation_breaks, is_per_turn
from ragstone.judges.local.accuracy import everyday_accuracy
from ragstone.providers.prices import packaged_prices
from ragstone.result import Result
from ragstone.run import Plan
from ragstone.stats.figure import Figure
from ragstone.status import Status


@dataclass(frozen=True, slots=True)
class MetricView:
    """One metric over all test cases."""

    name: str  # title, with a distinguishing suffix where two metrics share it
    summary: Figure  # mean or range, intervals, counts
    scores: tuple[float, ...]  # those measured, in input order
    threshold: float | None  # the score that passes; None where results neither pass nor miss
    higher_is_better: bool  # whether scores above the threshold pass


@dataclass(frozen=True, slots=True)
class CaseView:
    """One test case over all metrics."""

    number: int  # its place in the dataset, from 1
    case: TestCase  # the test case
    results: tuple[Result, ...]  # of every metric
    missed: tuple[Result, ...]  # those that missed their threshold, the worst first
    undecided: tuple[Result, ...]  # those that are undecided
    not_measured: tuple[Result, ...]  # those that an error prevented
    passed: int

    @property
    def order(self) -> tuple[float, int, float, int, int]:
        """Sort key: answers that do not hold first, the surest first; then the other misses, the worst first.

        Then those that are not measured, then in input order.
        """
        sure, faults = sureness(self.missed)
        shortfalls = sum(map(shortfall, self.missed))
        return -sure, -faults, -shortfalls, -len(self.not_measured), self.number


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report in reading order: the verdict, the misses, the errors, the usage."""

    labels: dict[str, str]  # display name of each metric, by its spec
    metrics: tuple[MetricView, ...]  # each metric over all test cases
    cases: tuple[CaseView, ...]  # every test case, the worst first
    errors: tuple[ErrorGroup, ...]  # errors by kind, the most frequent first
    repeats: tuple[RepeatsView, ...]  # each metric's repeats, where everything was measured several times
    notes: tuple[str, ...]  # notes for the reader
    judge_accuracy: str | None  # how accurate the embedded judge is, in a sentence; None for another judge
    verdict: str  # one sentence that says whether the run passed
    passed: bool | None  # whether the run passed; None where something was not measured, or nothing decided
    # number of results of each status; None stands for scores without a threshold
    counts: Mapping[Status | None, int]

    @property
    def worst(self) -> tuple[CaseView, ...]:
        """The test cases that missed a threshold, the worst first."""
        return tuple(item for item in self.cases if item.missed)

    @property
    def not_measured(self) -> int:
        """Number of results that an error prevented."""
        return self.counts["not_measured"]


def report_view(report: Report) -> ReportView:
    """Return the view model of a report."""
    results = [result for _, result in report.flat()]
    names = metric_names(results)
    repeated, metrics = repeats_views(report, names), _metrics(report, names)
    notes = (*refusal_notes(report.results), *_cluster_notes(report), *_few_cases_notes(metrics))
    return ReportView(
        labels=names,
        metrics=metrics,
        cases=_cases(report),
        errors=group_errors(report, names),
        repeats=repeated,
        judge_accuracy=judge_accuracy(report),
        notes=(*report.run.notes, *notes),
        verdict=headline_text(_facts(report, wavering=sum(item.undecided for item in repeated))),
        passed={0: True, 1: False}.get(report.exit_code),
        counts=Counter(result.status for result in results),
    )


def judge_accuracy(report: Report) -> str | None:
    """Return how accurate the judge of a run is, in a sentence; None where none was asked."""
    return accuracy_of(report.run.plan, asked=any(outcome.calls for outcome in report.outcomes()))


def accuracy_of(plan: Plan, *, asked: bool) -> str | None:
    """Return what the exam of the judge showed, or how to examine it; the embedded judge brings its own figures."""
    if not asked:
        return None
    return everyday_accuracy().sentence() if plan.exam is None and plan.judge == "local" else plan.exam


def judges_sentence(plan: Plan) -> str | None:
    """Return which prompts other judges than the plan's answered; None where one judge answered all."""
    by_judge: dict[str, list[str]] = {}
    for prompt, judge in plan.judges.items():
        by_judge.setdefault(judge, []).append(prompt)
    return "; ".join(f"{judge} answers {', '.join(prompts)}" for judge, prompts in by_judge.items()) or None


def dataset_name(report: Report) -> str:
    """Return the display name of the dataset."""
    return report.run.plan.dataset or "test cases from Python"


def title(report: Report) -> str:
    """Return the heading of a report: the run's name, or that of the file it read."""
    return report.run.plan.name or dataset_name(report).replace("\\", "/").rsplit("/", 1)[-1]


def shortfall(result: Result) -> float:
    """Return how far on the wrong side of its threshold a score is; 0 where it passes or there is none."""
    if result.score is None or result.threshold is None or result.status != "missed":
        return 0.0
    return abs(result.score - result.threshold)


def _metrics(report: Report, names: Mapping[str, str]) -> tuple[MetricView, ...]:
    summaries = report.summary()
    return tuple(
        MetricView(
            name=metric_name(results[0], names),
            summary=summaries[name],
            scores=tuple(result.score for result in results if result.score is not None),
            threshold=results[0].threshold,
            higher_is_better=results[0].higher_is_better,
        )
        for name, results in report.by_metric().items()
        if name in summaries
    )


def _cases(report: Report) -> tuple[CaseView, ...]:
    views: list[CaseView] = []
    for number, (case, results) in enumerate(report, 1):
        by_status: defaultdict[Status | None, list[Result]] = defaultdict(list)
        for result in results:
            by_status[result.status].append(result)
        missed = tuple(sorted(by_status["missed"], key=shortfall, reverse=True))
        undecided, not_measured = tuple(by_status["undecided"]), tuple(by_status["not_measured"])
        passed = len(by_status["passed"])
        views.append(CaseView(number, case, tuple(results), missed, undecided, not_measured, passed))
    return tuple(sorted(views, key=lambda item: item.order))


def _cluster_notes(report: Report) -> Iterator[str]:
    key, groups = report.run.plan.cluster, clusters(report.cases, report.run.plan.cluster)
    if groups is not None:
        ungrouped_count = sum(group is None for group in groups)
        group_count = len(set(groups) - {None}) + ungrouped_count
        sizes = f"{count(len(groups), 'case')} in {count(group_count, 'group')}"
        yield f"Intervals treat the cases of one {key} as dependent: {sizes}."


def _few_cases_notes(metrics: Iterable[MetricView]) -> Iterator[str]:
    """Yield a note where everything passed, but on so few cases that this proves little."""
    few = [metric for metric in metrics if metric.summary.pass_rate == 1.0 and metric.summary.too_few]
    if few:
        metric = min(few, key=lambda item: item.summary.n)
        cases, max_share = count(metric.summary.n, "case"), percent(1.0 - metric.summary.pass_interval.low)
        yield (
            f"{metric.name}: all of {cases} passed, but so few prove little: up to {max_share} of such cases may miss "
            "it (95 %)."
        )


def _facts(report: Report, *, wavering: int) -> RunFacts:
    by_spec: dict[str, Counter[Status | None]] = {}
    for outcome in report.outcomes():
        decided = outcome.status is not None or outcome.score is not None or outcome.label is not None
        by_spec.setdefault(outcome.spec, Counter())[outcome.status] += decided
    breaks = conversation_breaks(report.results).sentence() if any(map(is_per_turn, by_spec)) else ""
    return RunFacts(by_spec, wavering, len(report.rejected), report.complete, breaks)


def usage_figures(report: Report) -> Iterator[str]:
    """Yield the figures on usage, each with its unit."""
    usage = report.usage
    yield count(sum(map(len, report.results)), "result")
    yield count(usage.calls, "judge call")
    if usage.input_tokens or usage.output_tokens:
        share = percent(usage.cached_tokens / (usage.input_tokens or 1))
        cached = f" ({share} cached)" if usage.cached_tokens else ""
        yield f"{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} out"
    price_date = f" (packaged prices of {packaged_prices().date})" if report.cost else ""
    yield f"{dollars(report.cost)}{price_date}"
    yield duration(report.seconds)
