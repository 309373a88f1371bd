"""A diagnosis in a terminal: the shares of the causes, the refusals, then cases with their evidence."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table

from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.styles import (
    QUIET,
    STRONG,
    indented,
    joined,
    print_parts,
    status_mark,
    styled,
    text_width,
    untrusted,
)
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
from ragstone.reports.diagnosis.model import NOT_MEASURED, CaseDiagnosis, CauseShare, Diagnosis
from ragstone.reports.diagnosis.worth_text import HEADER, measured_rows, measured_sentences
from ragstone.reports.numbers import count
from ragstone.reports.view.refusals import abstention_rows
from ragstone.status import Status

MOST_CASES = 3
_MAX_SLICES = 5


def show(diagnosis: Diagnosis, console: Console, *, cases: int | None = MOST_CASES) -> None:
    """Print a diagnosis.

    Args:
        diagnosis: the diagnosis of a run.
        console: the console to print on, made without markup; see `plain_console`.
        cases: how many cases of each cause are shown; None for all.
    """
    print_parts(console, _parts(diagnosis, text_width(console), glyphs_for(console.encoding), cases))


def _parts(diagnosis: Diagnosis, width: int, glyphs: Glyphs, limit: int | None) -> Iterator[RenderableType]:
    plan = diagnosis.report.run.plan
    title = joined("WHY  ", untrusted(plan.name or diagnosis.report.run.id, glyphs, 60, STRONG), " ")
    yield joined(title, styled(glyphs.line * max(0, width - title.cell_len), QUIET))
    cases = count(len(diagnosis.cases), "case")
    judge = untrusted(plan.judge, glyphs, 80, STRONG)
    yield joined(
        "judge ", judge, f" {glyphs.separator} {cases} {glyphs.separator} {passed_text(diagnosis)}\n"
    )
    if diagnosis.shares:
        yield _table(diagnosis)
        yield indented(styled(f"\n{worth_assumption(diagnosis)}\n", QUIET), 2)
    sentence = checks_sentence(diagnosis)
    if sentence:
        yield indented(styled(f"{sentence}\n", QUIET), 2)
    yield from _measured(diagnosis, glyphs)
    rows = abstention_rows(diagnosis.abstention)
    if rows:
        yield styled("REFUSALS", STRONG)
        yield from (indented(joined(f"{name}  ", styled(text)), 2) for name, text in rows)
        yield ""
    if diagnosis.missed:
        yield from _slices(diagnosis, glyphs)
        yield from _similar(diagnosis, glyphs)
    for share in diagnosis.shares:
        if not share.count:
            continue
        yield from _cause(share, diagnosis.of_cause(share.cause.name), glyphs, limit)
    for note in diagnosis.notes:
        yield joined(status_mark("not_measured", glyphs), " ", untrusted(note, glyphs, 400))
    yield joined(
        status_mark(_status(diagnosis), glyphs),
        " ",
        untrusted(diagnosis.verdict, glyphs, 300, STRONG),
    )


def _status(diagnosis: Diagnosis) -> Status:
    if diagnosis.missed:
        return "missed"
    if diagnosis.not_measured or diagnosis.measured_nothing:
        return "not_measured"
    return "undecided" if diagnosis.undecided else "passed"


def _table(diagnosis: Diagnosis) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=QUIET)
    for name in cause_columns(diagnosis):
        no_wrap = name in {"cause", "whose", "cases", "by the judge"}
        table.add_column(
            name, justify="right" if name in {"cases", "by the judge"} else "left", no_wrap=no_wrap
        )
    for share in diagnosis.shares:
        table.add_row(*cause_row(diagnosis, share))
    return indented(table, 2)


def _measured(diagnosis: Diagnosis, glyphs: Glyphs) -> Iterator[RenderableType]:
    if diagnosis.measured is None:
        return
    yield styled("IF MENDED, MEASURED", STRONG)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=QUIET)
    for name in HEADER:
        table.add_column(name)
    for row in measured_rows(diagnosis):
        table.add_row(*row)
    yield indented(table, 2)
    for sentence in measured_sentences(diagnosis.measured):
        yield indented(untrusted(sentence, glyphs, 400, QUIET), 2)
    yield ""


def _slices(diagnosis: Diagnosis, glyphs: Glyphs) -> Iterator[RenderableType]:
    yield styled("WHERE", STRONG)
    for group in diagnosis.slices.found[:_MAX_SLICES] if diagnosis.slices else ():
        yield indented(joined(untrusted(slice_name(group), glyphs, 100, STRONG), f": {slice_text(group)}"), 2)
    yield indented(styled(slices_sentence(diagnosis.slices), QUIET), 2)
    yield ""


def _similar(diagnosis: Diagnosis, glyphs: Glyphs) -> Iterator[RenderableType]:
    yield styled("SIMILAR MISSES", STRONG)
    for group in diagnosis.similar.found[:_MAX_SLICES] if diagnosis.similar else ():
        name = untrusted(similar_name(group), glyphs, 100, STRONG)
        yield indented(joined(name, f": {similar_text(group)}"), 2)
        for case in similar_examples(diagnosis, group, 2):
            question = untrusted(case.case.input or case.case.id, glyphs, 100)
            yield indented(joined(status_mark("missed", glyphs), f" #{case.place + 1} ", question), 4)
    yield indented(styled(similar_sentence(diagnosis), QUIET), 2)
    yield ""


def _cause(
    share: CauseShare, cases: tuple[CaseDiagnosis, ...], glyphs: Glyphs, limit: int | None
) -> Iterator[RenderableType]:
    yield joined(styled(share.cause.name, STRONG), f"  {share.cause.sentence}")
    yield indented(styled(share.cause.remedy, QUIET), 2)
    for case in cases[:limit]:
        question = untrusted(case.case.input or case.case.id, glyphs, 100)
        mark = status_mark("not_measured" if case.outcome == NOT_MEASURED else "missed", glyphs)
        yield indented(joined(mark, f" #{case.place + 1} ", question), 2)
        for label, text in case.evidence.lines if case.evidence else ():
            start = styled(f"{label}: " if label and text else label, QUIET)
            yield indented(joined(start, untrusted(text, glyphs, 240)), 6)
    remaining = 0 if limit is None else len(cases) - limit
    if remaining > 0:
        yield indented(styled(f"and {count(remaining, 'other')}", QUIET), 2)
    yield ""
