"""Tune a judge for one metric on human labels, and adopt a candidate if it is proven better on held-out labels."""

from typing import Any

from ragstone.api import evaluate
from ragstone.audit.tuning.candidates import CandidateMaker
from ragstone.audit.tuning.cross_validation import OUTER, NestedOutcome, NestedTuning
from ragstone.audit.tuning.labelled import LabelledRun, labelled_run
from ragstone.audit.tuning.measuring import GuidedMeasurement, deciding_prompts
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.agreement.human_labels import LABEL
from ragstone.findings.tuning import TuningReport
from ragstone.judges import Judge, JudgeLike, TunedJudge, get_judge
from ragstone.judges.cached import with_cache
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics
from ragstone.stats.decision_gain import ErrorCosts


def tune(
    metric: str | Metric,
    labels: object,
    *,
    judge: str | JudgeLike | None = None,
    judge_spec: str | None = None,
    label: str = LABEL,
    cluster: str | None = None,
    costs: ErrorCosts | None = None,
    folds: int = OUTER,
    rules: bool = True,
    seed: int = 0,
    **options: Any,  # noqa: ANN401  (those of `evaluate`, passed on)
) -> TuningReport:
    """Tune a judge's threshold, examples or rules on labels, by nested cross-validation.

    Args:
        metric: the metric that the labels are about, or its spec.
        labels: the report of a run whose test cases have labels in their metadata; or a labelled dataset, which is
            evaluated first.
        judge: the judge to tune, or its spec; that of the run if None.
        judge_spec: name of the judge in the file of the tuned judge; if None, its spec, or that of the run.
        label: the metadata field that holds the human label: yes or no, 1 or 0.
        cluster: metadata key by which cases are grouped; a group is never split between training and test.
        costs: costs of a false pass and a false fail; Cohen's kappa is used if None.
        folds: number of outer folds, at least 2.
        rules: whether to have rules written from the annotators' notes, if there are any.
        seed: seed of the folds.
        options: further options of `evaluate`: `concurrency`, `timeout`, `cache`, `limits` …

    Raises:
        UsageError: there are too few labels, or the judge is tuned already.
        BudgetExceeded: the budget is spent before tuning is done.
    """
    (parsed,) = parse_metrics(metric)
    if folds < 2:  # noqa: PLR2004  (one to learn from, one to test)
        raise BadOption(f"folds={folds!r} is too few: give 2 or more")
    report = labels
    if not isinstance(report, Report):
        report = evaluate(labels, parsed, judge=judge, cluster=cluster, progress=False, **options)
    run = labelled_run(report, parsed, label, cluster)
    spec = judge_spec or (judge if isinstance(judge, str) else report.run.plan.judge)
    base = get_judge(spec if judge is None else judge, offline=bool(options.get("offline")))
    if isinstance(base, TunedJudge):
        raise BadOption(f"{spec} is already tuned: tune its base judge, {base.tuning.judge}")
    cached_judge = with_cache(base, options.pop("cache", None), offline=bool(options.get("offline")))
    measurement = GuidedMeasurement(run, cached_judge, spec, **options)
    maker = CandidateMaker(run, reads_examples(base, parsed), measurement.write_rules if rules else None)
    outcome = NestedTuning(run, maker, measurement, costs=costs, seed=seed, outer=folds).outcome()
    return _tuning_report(report, run, spec, outcome, measurement)


def reads_examples(judge: Judge, metric: Metric) -> bool:
    """Return whether examples may change the judge's decisions for a metric."""
    return judge.reads_examples and bool(deciding_prompts(metric))


def _tuning_report(
    report: Report, run: LabelledRun, spec: str, outcome: NestedOutcome, measurement: GuidedMeasurement
) -> TuningReport:
    gain, final = outcome.gain, outcome.final
    threshold = final.threshold
    if threshold is not None and not run.metric.higher_is_better:
        threshold = 1.0 - threshold
    tuning_report = TuningReport(
        judge=spec,
        metric=run.metric.spec,
        dataset=report.run.plan.dataset or "",
        groups=None if run.codes is None else len(set(run.codes)),
        left_out=run.left_out,
        gain=gain,
        folds=outcome.folds,
        chosen=final.candidate.name,
        tuning=measurement.tuning(final.candidate.guidance, threshold) if outcome.adopted else None,
        measurements=measurement.measured,
        not_measured=measurement.failed,
        cost=measurement.cost,
        notes=tuple(dict.fromkeys(measurement.notes)),
    )
    return tuning_report.with_card()
