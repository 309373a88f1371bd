"""A cascade of judges beside its last judge: what each decides, where they differ, the corrected mean, the calls."""

from collections.abc import Iterator
from typing import Any

from ragstone.findings.agreement.cascade_check import CascadeCheck, CheckedMetric
from ragstone.findings.numbers import count, dollars, percent
from ragstone.findings.view.report_view import dataset_name
from ragstone.show.document import Document, Row, Table, TableColumn, dotted, line, listed, notes, strong
from ragstone.show.render.json import plain

_SCHEMA = 1
_COLUMNS = (
    TableColumn("judge", style="strong"),
    TableColumn("decided", number=True),
    TableColumn("share", number=True),
)


def document(found: CascadeCheck) -> Document:
    """Return the check as a document."""
    total = max(1, sum(found.decided.values()))
    rows = tuple(Row((judge, f"{n:,}", percent(n / total))) for judge, n in found.decided.items())
    plan, checked = found.report.run.plan, len(found.alone.cases)
    facts = dotted(
        line("judge ", strong(plan.judge)),
        f"{count(checked, 'case')} of {len(found.report.cases):,} checked by {found.alone.run.plan.judge}",
    )
    told = [*(sentence for metric in found.metrics for sentence in _sentences(metric)), _calls(found)]
    return Document(
        "check",
        line(strong(dataset_name(found.report), 60)),
        (facts,),
        (Table(_COLUMNS, rows), *listed(notes(told))),
    )


def _sentences(metric: CheckedMetric) -> Iterator[str]:
    yield f"{metric.name}: {metric.differing} of {count(metric.checked, 'checked case')} differ in their status"
    if metric.corrected is None:
        yield f"{metric.name}: too few cases with a score of both to correct the mean"
    else:
        yield f"{metric.name}: {metric.corrected.sentence()}".replace("judge says", "the judges say")


def _calls(found: CascadeCheck) -> str:
    cascade, alone = found.calls
    last = found.alone.run.plan.judge
    return (
        f"{cascade:.1f} calls a case, {last} alone {alone:.1f}; {dollars(found.report.cost)}, and "
        f"{dollars(found.alone.cost)} for the check"
    )


def values(found: CascadeCheck) -> dict[str, Any]:
    """Return the check as JSON has it."""
    return {
        "schema": _SCHEMA,
        "run": found.report.run.id,
        **plain(found.report.run.plan, "judge", "dataset"),
        "last": found.alone.run.plan.judge,
        **plain(found, "decided", "metrics", "calls"),
    }
