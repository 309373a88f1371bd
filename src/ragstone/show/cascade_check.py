"""A cascade of judges beside its last judge: what each decides, where they differ, the corrected mean, the calls."""

from collections.abc import Iterator
from typing import Any

from ragstone.findings.agreement.cascade_check import CascadeCheck, CheckedMetric
from ragstone.findings.numbers import count, dollars, percent
from ragstone.findings.view.report_view import dataset_name
from ragstone.show.document import Document, dotted, line, listed, notes, strong, table
from ragstone.show.render.json import plain

_SCHEMA = 1


def document(found: CascadeCheck) -> Document:
    """Return the check as a document."""
    total = max(1, sum(found.decided.values()))
    rows = [(line(strong(judge)), f"{n:,}", percent(n / total)) for judge, n in found.decided.items()]
    plan, checked = found.report.run.plan, len(found.alone.cases)
    last, (cascade, alone) = found.alone.run.plan.judge, found.calls
    facts = dotted(
        line("judge ", strong(plan.judge)),
        f"{count(checked, 'case')} of {len(found.report.cases):,} checked by {last}",
    )
    calls = (
        f"{cascade:.1f} calls a case, {last} alone {alone:.1f}; {dollars(found.report.cost)}, and "
        f"{dollars(found.alone.cost)} for the check"
    )
    told = [*(sentence for metric in found.metrics for sentence in _sentences(metric)), calls]
    return Document(
        "check",
        line(strong(dataset_name(found.report), 60)),
        (facts,),
        (table(("judge", "decided", "share"), rows, numbers=("decided", "share")), *listed(notes(told))),
    )


def _sentences(metric: CheckedMetric) -> Iterator[str]:
    yield f"{metric.name}: {metric.differing} of {count(metric.checked, 'checked case')} differ in their status"
    if metric.corrected is None:
        yield f"{metric.name}: too few cases with a score of both to correct the mean"
    else:
        yield f"{metric.name}: {metric.corrected.sentence()}".replace("judge says", "the judges say")


def values(found: CascadeCheck) -> dict[str, Any]:
    """Return the check as JSON has it."""
    return {
        "schema": _SCHEMA,
        "run": found.report.run.id,
        **plain(found.report.run.plan, "judge", "dataset"),
        "last": found.alone.run.plan.judge,
        **plain(found, "decided", "metrics", "calls"),
    }
