"""The body of the page *Why*: the causes with their shares, where misses are frequent, the evidence."""

from functools import partial

from ragstone.dashboard.rendering import drawn
from ragstone.findings.diagnosis import Diagnosis, explain, figures
from ragstone.findings.diagnosis.checks import with_annotations
from ragstone.findings.stored import report_from_store
from ragstone.findings.view.refusals import abstention_rows, interval_text
from ragstone.store import Store

_MAX_CASES, _MAX_GROUPS, _MAX_EXAMPLES = 12, 8, 3


def page_texts(store: Store, run: str, cluster: str = "") -> tuple[str, str]:
    """Return the body of the page, for readers and for those who annotate.

    It has some ten kilobytes, where the diagnosis of a large run takes seconds.
    """
    diagnosis = diagnosis_of(store, run, cluster)
    plan = diagnosis.report.run.plan
    body = partial(
        drawn,
        "_why.html",
        run=diagnosis.report.run,
        name=plan.name or diagnosis.report.run.id,
        found=diagnosis,
        words=figures,
        interval_text=interval_text,
        places=store.cases(store.find(run)).places(),
        refusals=abstention_rows(diagnosis.abstention),
        most=_MAX_CASES,
        most_groups=_MAX_GROUPS,
        most_examples=_MAX_EXAMPLES,
    )
    return body(annotates=False), body(annotates=True)


def diagnosis_of(store: Store, run: str, cluster: str = "") -> Diagnosis:
    """Return the causes of the misses of a run, corrected by people's checks."""
    stored = store.find(run)
    diagnosis = explain(report_from_store(store, stored), cluster=cluster or None)
    return with_annotations(diagnosis, store.annotations.of(stored.number), store.cases(stored).places())
