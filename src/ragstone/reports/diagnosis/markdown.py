"""A diagnosis as Markdown, fit for a pull request: the shares of the causes, then cases with their evidence."""

from collections.abc import Iterator

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
from ragstone.reports.numbers import count
from ragstone.reports.printable import escape
from ragstone.reports.view.refusals import abstention_rows

_MAX_CASES = 5
_MAX_SLICES = 5


def render(diagnosis: Diagnosis) -> str:
    """Return the diagnosis as Markdown."""
    return "\n".join(_lines(diagnosis))


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    plan = diagnosis.report.run.plan
    sign = "✗" if diagnosis.missed else "✓"
    yield f"## {sign} Why: {escape(plan.name or diagnosis.report.run.id, 80)}\n"
    yield f"**{escape(diagnosis.verdict)}**\n"
    cases = count(len(diagnosis.cases), "case")
    yield f"{cases} · {passed_text(diagnosis)} · judge **{escape(plan.judge)}**\n"
    if diagnosis.shares:
        columns = cause_columns(diagnosis)
        yield f"| {' | '.join(columns)} |"
        yield f"| {' | '.join('--:' if name == 'cases' else '---' for name in columns)} |"
        yield from (f"| {' | '.join(cause_row(diagnosis, share))} |" for share in diagnosis.shares)
        yield f"\n<sub>{escape(worth_assumption(diagnosis))}</sub>\n"
    yield from _measured(diagnosis)
    sentence = checks_sentence(diagnosis)
    if sentence:
        yield f"{escape(sentence)}\n"
    rows = abstention_rows(diagnosis.abstention)
    if rows:
        yield "| refusals | |"
        yield "| --- | --- |"
        yield from (f"| {name} | {text} |" for name, text in rows)
        yield ""
    if diagnosis.missed:
        yield from _slices(diagnosis)
        yield from _similar(diagnosis)
    for share in diagnosis.shares:
        if not share.count:
            continue
        yield from _cases(share, diagnosis.of_cause(share.cause.name))
    yield from (f"- ⚠ {escape(note)}" for note in diagnosis.notes)


def _measured(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.measured is None:
        return
    yield "### If mended, measured\n"
    yield f"| {' | '.join(HEADER)} |"
    yield f"|{' --- |' * len(HEADER)}"
    yield from (f"| {' | '.join(row)} |" for row in measured_rows(diagnosis))
    yield ""
    yield from (f"- {escape(sentence, 400)}" for sentence in measured_sentences(diagnosis.measured))
    yield ""


def _slices(diagnosis: Diagnosis) -> Iterator[str]:
    yield f"{escape(slices_sentence(diagnosis.slices))}\n"
    for group in diagnosis.slices.found[:_MAX_SLICES] if diagnosis.slices else ():
        yield f"- **{escape(slice_name(group), 160)}**: {escape(slice_text(group))}"
    yield ""


def _similar(diagnosis: Diagnosis) -> Iterator[str]:
    yield f"{escape(similar_sentence(diagnosis))}\n"
    for group in diagnosis.similar.found[:_MAX_SLICES] if diagnosis.similar else ():
        yield f"- **{escape(similar_name(group), 160)}**: {escape(similar_text(group))}"
        for case in similar_examples(diagnosis, group, 2):
            yield f"  - {escape(case.case.input or case.case.id, 160)}"
    yield ""


def _cases(share: CauseShare, cases: tuple[CaseDiagnosis, ...]) -> Iterator[str]:
    yield f"### {share.cause.name}: {share.count}\n"
    yield f"{escape(share.cause.sentence)} {escape(share.cause.remedy)}\n"
    for case in cases[:_MAX_CASES]:
        yield f"- {escape(case.case.input or case.case.id, 160)}"
        for label, text in case.evidence.lines if case.evidence else ():
            yield f"  - {': '.join(filter(None, (label, escape(text, 300))))}"
    if len(cases) > _MAX_CASES:
        yield f"- and {count(len(cases) - _MAX_CASES, 'other')}"
    yield ""
