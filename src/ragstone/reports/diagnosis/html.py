"""A diagnosis as one HTML file without external resources: the causes, the slices with many misses, the evidence."""

from collections.abc import Iterable, Iterator, Sequence

from ragstone.reports.diagnosis.figures import (
    cause_columns,
    cause_row,
    checks_sentence,
    passed_text,
    similar_examples,
    similar_name,
    similar_sentence,
    similar_text,
    slice_name,
    slice_text,
    slices_sentence,
    worth_assumption,
)
from ragstone.reports.diagnosis.model import CaseDiagnosis, CauseShare, Diagnosis
from ragstone.reports.diagnosis.worth_text import HEADER, measured_rows, measured_sentences
from ragstone.reports.html.document import page
from ragstone.reports.html.markup import Markup, element
from ragstone.reports.numbers import count
from ragstone.reports.printable import one_line
from ragstone.reports.view.refusals import abstention_rows

_MAX_CASES = 12
_MAX_GROUPS = 8


def render(diagnosis: Diagnosis) -> str:
    """Return the diagnosis as a page."""
    return page("Why · ragstone", element("div", *_parts(diagnosis), class_="ragstone"))


def _parts(diagnosis: Diagnosis) -> Iterator[Markup]:
    plan = diagnosis.report.run.plan
    facts = (
        count(len(diagnosis.cases), "case"),
        passed_text(diagnosis),
        f"judge {plan.judge}",
    )
    yield element(
        "header",
        element("h1", f"Why: {one_line(plan.name or diagnosis.report.run.id, 80)}"),
        element("p", " · ".join(facts), class_="quiet", dir="auto"),
        element("p", diagnosis.verdict, class_="verdict"),
        *(element("p", note, class_="quiet") for note in diagnosis.notes),
    )
    if diagnosis.shares:
        rows = [cause_row(diagnosis, share) for share in diagnosis.shares]
        note = " ".join(filter(None, (checks_sentence(diagnosis), worth_assumption(diagnosis))))
        yield _table("Causes", cause_columns(diagnosis), rows, note)
    if diagnosis.measured is not None:
        sentences = " ".join(measured_sentences(diagnosis.measured))
        yield _table("If mended, measured", HEADER, measured_rows(diagnosis), sentences)
    if diagnosis.missed:
        yield _slices(diagnosis)
        yield _similar(diagnosis)
    rows = abstention_rows(diagnosis.abstention)
    if rows:
        yield _table("Refusals", ("figure", "share of cases, 95 %"), rows, "")
    yield from (
        _cause(share, diagnosis.of_cause(share.cause.name)) for share in diagnosis.shares if share.count
    )


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], note: str) -> Markup:
    body = [element("tr", *(element("td", cell, dir="auto") for cell in row)) for row in rows]
    head = element("tr", *(element("th", name, scope="col") for name in columns))
    table = element("table", element("thead", head), element("tbody", *body))
    return element(
        "section",
        element("h2", title),
        element("div", table, class_="scroll", tabindex="0", role="region", aria_label=title),
        element("p", note, class_="quiet") if note else None,
        class_="figures",
    )


def _slices(diagnosis: Diagnosis) -> Markup:
    groups = diagnosis.slices.found[:_MAX_GROUPS] if diagnosis.slices else ()
    rows = [_item(one_line(slice_name(group), 120), slice_text(group)) for group in groups]
    return _list_section("Where", rows, slices_sentence(diagnosis.slices))


def _similar(diagnosis: Diagnosis) -> Markup:
    rows: list[Markup] = []
    for group in diagnosis.similar.found[:_MAX_GROUPS] if diagnosis.similar else ():
        examples = similar_examples(diagnosis, group, 3)
        items = [
            element("li", one_line(case.case.input or case.case.id, 160), dir="auto") for case in examples
        ]
        rows.append(_item(one_line(similar_name(group), 120), similar_text(group), element("ul", *items)))
    return _list_section("Similar misses", rows, similar_sentence(diagnosis))


def _item(name: str, text: str, *children: Markup) -> Markup:
    return element("li", element("strong", name, dir="auto"), f": {text}", *children)


def _list_section(title: str, rows: Sequence[Markup], note: str) -> Markup:
    items = element("ul", *rows) if rows else None
    return element(
        "section", element("h2", title), items, element("p", note, class_="quiet"), class_="figures notes"
    )


def _cause(share: CauseShare, cases: Sequence[CaseDiagnosis]) -> Markup:
    rows = [_evidence_row(case) for case in cases[:_MAX_CASES]]
    rest = len(cases) - len(rows)
    note = f"{share.cause.sentence} {share.cause.remedy}" + (f" And {count(rest, 'other')}." if rest else "")
    return _table(f"{share.cause.name}: {share.count}", ("#", "question", "evidence"), rows, note)


def _evidence_row(case: CaseDiagnosis) -> tuple[str, str, str]:
    text = one_line(case.evidence.sentence, 480) if case.evidence else ""
    return str(case.place + 1), one_line(case.case.input or case.case.id, 160), text
