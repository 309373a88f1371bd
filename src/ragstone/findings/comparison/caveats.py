"""Warnings of a comparison: differences between the runs that make it unfair."""

from collections.abc import Iterator, Sequence

from ragstone.findings.comparison.matching import MatchedCases
from ragstone.findings.numbers import count, score
from ragstone.findings.report import Report


def caveats(
    old: Report,
    new: Report,
    matched: MatchedCases,
    metrics: Sequence[tuple[str, tuple[float | None, float | None], int]],
) -> Iterator[str]:
    """Yield a sentence for each reason to doubt the comparison.

    Args:
        old: the earlier run.
        new: the later run.
        matched: the matched cases.
        metrics: name, thresholds before and after, and cases lost, of each metric.
    """
    plan1, plan2 = old.run.plan, new.run.plan
    if plan1.judge != plan2.judge:
        yield (
            f"The judges differ: {plan1.judge} before, {plan2.judge} after. A change may come from the judge, not from "
            "the system."
        )
    yield from _prompt_caveats(plan1.prompts, plan2.prompts)
    if plan1.repeats != plan2.repeats:
        yield f"Each case was measured {_times(plan1.repeats)} before and {_times(plan2.repeats)} after."
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
    for name, (before, after), lost in metrics:
        if before != after:
            was, now = ("no score" if each is None else score(each) for each in (before, after))
            yield f"{name} passes at {was} before and at {now} after: pass rates are not comparable."
        if lost:
            yield f"{name}: {count(lost, 'case')} scored before have no score after: any score from 0 to 1 is possible."


def _prompt_caveats(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    differ = sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
    if differ:
        yield (
            f"The judge's prompts differ: {', '.join(differ)}. A change may come from the prompts, not from the system."
        )
    if bool(before) != bool(after):
        when = "earlier" if after else "later"
        yield f"The {when} run does not record the judge's prompts; compare .json reports to be sure."


def _times(repeats: int) -> str:
    return "once" if repeats == 1 else f"{repeats} times"
