"""What the metrics of a comparison say together, in sentences: the verdict, what it leaves open, reasons for doubt."""

from collections.abc import Iterator, Sequence

from ragstone.findings.comparison.metric_change import MetricChange
from ragstone.findings.comparison.run_scores import MatchedCases
from ragstone.findings.numbers import count, score
from ragstone.findings.report import Report
from ragstone.findings.view.figure_text import share_range
from ragstone.stats.compare import Comparison
from ragstone.stats.label_change import LabelChange, ShareChange


def summary(metrics: Sequence[MetricChange], unmeasured: Sequence[str] = ()) -> str:
    """Return which metrics changed, in one sentence, and which have no score any more."""
    compared = [metric for metric in metrics if metric.comparison.n]
    if not any(metric.measured for metric in metrics):
        return "Nothing could be compared: no case was scored by the same metric in both runs."
    by_verdict = {
        verdict: [metric.name for metric in compared if metric.comparison.verdict == verdict]
        for verdict in ("worse", "better", "depends on the undecided")
    }
    fell = [metric.name for metric in compared if metric.comparison.unseen_in_mean == "fell"]
    parts = [f"{', '.join(by_verdict[word])} got {word}" for word in ("worse", "better") if by_verdict[word]]
    if fell:
        parts.append(f"the pass rate of {', '.join(fell)} fell")
    parts += [
        label_sentence(metric.name, metric.labels)
        for metric in metrics
        if metric.labels and metric.labels.n and metric.labels_changed
    ]
    if undecided := by_verdict["depends on the undecided"]:
        parts.append(f"whether {', '.join(undecided)} changed depends on undecided cases")
    others = [metric.comparison for metric in compared if metric.name not in undecided]
    silent = [comparison for comparison in others if not comparison.claimed]
    gone = "".join(f"; {name} has no score in the later run" for name in unmeasured)
    if not parts:
        nothing = _nothing_shown(silent) if silent else "No change of labels that this dataset could show"
        return f"{nothing}{gone}."
    rest = sum(comparison.unseen_in_mean != "fell" for comparison in silent)
    if rest:
        parts.append(f"no difference shown in {rest} more")
    elif compared and len(silent) == len(compared):
        parts.append("no difference in means shown")
    return f"{parts[0][0].upper()}{parts[0][1:]}{''.join(f'; {part}' for part in parts[1:])}{gone}."


def findings(
    metrics: Sequence[MetricChange], unmeasured: Sequence[str] = (), margin: float | None = None
) -> Iterator[str]:
    """Yield a sentence for each metric that may be worse although no difference is claimed, or is not measured.

    With a margin, also for each that is not shown to be within it, or that got worse within it.
    """
    for name in unmeasured:
        yield f"{name}: it was measured in the earlier run and has no score in the later one."
    for metric in metrics:
        yield from _label_findings(metric)
        found = metric.comparison
        if margin is not None and found.n:
            yield from _against_margin(metric.name, found, margin)
        if not found.n or found.regressed:
            continue
        if found.unseen_in_mean == "fell" and found.passes is not None:
            yield (
                f"{metric.name}: the pass rate fell ({count(found.passes.broke, 'case')} broke, {found.passes.mended} "
                f"mended), although its mean {'rose' if found.claimed else 'shows no difference'}."
            )
        if found.verdict == "depends on the undecided":
            cases = count(found.undecided, "undecided case")
            yield f"{metric.name}: whether it changed depends on {cases}."
        if not found.can_show:
            yield f"{metric.name}: {_too_few(found)}."


def _against_margin(name: str, found: Comparison, margin: float) -> Iterator[str]:
    if not found.is_not_worse_by(margin):
        yield f"{name}: it is not shown that it is not worse by more than {margin:g}."
    elif found.regressed:
        yield f"{name}: it got worse, but not by more than {margin:g}, which the margin allows."


def _label_findings(metric: MetricChange) -> Iterator[str]:
    """Yield what the labels of a metric leave open: a change that neither passes nor misses, or one not decided."""
    found = metric.labels
    if found is None or not found.n:
        return
    if metric.labels_changed and not metric.comparison.n:
        sentence = label_sentence(metric.name, found)
        yield f"{sentence[0].upper()}{sentence[1:]}; no label passes or misses."
    if found.verdict == "depends on the undecided":
        yield f"{metric.name}: whether its labels changed depends on {count(found.undecided, 'undecided case')}."
    if not found.can_show and not metric.comparison.n:
        yield f"{metric.name}: {count(found.n, 'case')} are too few to show any change of labels."


def _nothing_shown(comparisons: Sequence[Comparison]) -> str:
    if not any(found.can_show for found in comparisons):
        fewest = max(comparisons, key=lambda found: found.interval.units)
        return _too_few(fewest)
    if any(found.hidden_by_correction for found in comparisons):
        return f"No difference shown after correction for {comparisons[0].tested} tested together"
    return "No difference between the two runs that this dataset could show"


def _too_few(found: Comparison) -> str:
    """Return `5 cases are too few to show any difference`, of groups and of several differences alike."""
    units = count(found.interval.units, "case" if found.interval.units == found.n else "group")
    together = "" if found.tested == 1 else f" among {found.tested} tested together"
    return f"{units} {'is' if found.interval.units == 1 else 'are'} too few to show any difference{together}"


def label_sentence(name: str, found: LabelChange) -> str:
    """Return `the labels of Outcome changed (refused rose from 5 % to 15 %)`, with each label that is known to have."""
    moves = [_move(share) for share in found.shares if share.verdict != "no change shown"]
    return f"the labels of {name} changed" + (f" ({', '.join(moves)})" if moves else "")


def _move(share: ShareChange) -> str:
    before, after = share_range(share.before), share_range(share.after)
    if " to " in before + after:
        sizes = sorted({f"{abs(100.0 * end):.1f}" for end in share.difference}, key=float)
        return f"{share.label} {share.verdict} by {' to '.join(sizes)} points"
    return f"{share.label} {share.verdict} from {before} to {after}"


def caveats(
    old: Report, new: Report, matched: MatchedCases, metrics: Sequence[MetricChange] = ()
) -> Iterator[str]:
    """Yield a sentence for each difference between the runs that makes their comparison unfair."""
    plan1, plan2 = old.run.plan, new.run.plan
    if plan1.judge != plan2.judge:
        yield (
            f"The judges differ: {plan1.judge} before, {plan2.judge} after. A change may come from the judge, not from "
            "the system."
        )
    yield from _prompt_caveats(plan1.prompts, plan2.prompts)
    if plan1.repeats != plan2.repeats:
        before, after = ("once" if n == 1 else f"{n} times" for n in (plan1.repeats, plan2.repeats))
        yield f"Each case was measured {before} before and {after} after."
    if plan1.app and plan2.app and plan1.app_concurrency != plan2.app_concurrency:
        yield (
            f"The application had {plan1.app_concurrency} questions at once before and {plan2.app_concurrency} after: "
            "latencies are not comparable."
        )
    for report, when in ((old, "earlier"), (new, "later")):
        if not report.complete:
            yield f"The {when} run was stopped early: its cases may not be representative."
    if matched.by_question:
        yield f"{count(matched.by_question, 'case')} matched by the question, because their ids differ."
    for metric in metrics:
        if metric.thresholds[0] != metric.thresholds[1]:
            was, now = ("no score" if each is None else score(each) for each in metric.thresholds)
            yield f"{metric.name} passes at {was} before and at {now} after: pass rates are not comparable."
        if metric.lost:
            lost = f"{count(metric.lost, 'case')} scored before have no score after"
            yield f"{metric.name}: {lost}: any score from 0 to 1 is possible."


def _prompt_caveats(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    differ = sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
    if differ:
        yield (
            f"The judge's prompts differ: {', '.join(differ)}. A change may come from the prompts, not from the system."
        )
    if bool(before) != bool(after):
        when = "earlier" if after else "later"
        yield f"The {when} run does not record the judge's prompts; compare .json reports to be sure."
