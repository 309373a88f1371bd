"""Why cases missed: the shares of the causes, the measured gains, where misses are frequent, cases with evidence."""

from typing import Any

from ragstone.findings.diagnosis.figures import (
    HEADER,
    cause_columns,
    cause_row,
    checks_sentence,
    measured_rows,
    measured_sentences,
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
from ragstone.findings.diagnosis.model import NOT_MEASURED, CaseDiagnosis, CauseShare, Diagnosis, Outcome
from ragstone.findings.numbers import count
from ragstone.findings.view.refusals import abstention_rows
from ragstone.show.document import (
    SIGNS,
    Document,
    Item,
    Line,
    Paragraph,
    Section,
    StyledText,
    cut,
    dotted,
    first,
    line,
    listed,
    notes,
    quiet,
    section,
    strong,
    table,
)
from ragstone.show.render.json import plain
from ragstone.stats.corrected_shares import CorrectedShares
from ragstone.status import Status

MOST_CASES = 3
"""How many cases of each cause a terminal shows."""
SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""

_MAX_CASES, _MAX_GROUPS, _MAX_EXAMPLES = 12, 8, 3


def document(found: Diagnosis, most: int | None = _MAX_CASES) -> Document:
    """Return the diagnosis as a document; at most `most` cases of each cause, None for all."""
    plan = found.report.run.plan
    judge = line("judge ", strong(plan.judge))
    facts = dotted(judge, count(len(found.cases), "case"), passed_text(found))
    told = notes(measured_sentences(found.measured)) if found.measured else ()
    return Document(
        "why",
        line(strong(plan.name or found.report.run.id)),
        (facts,),
        (
            *_causes(found),
            *section("If mended, measured", table(HEADER, measured_rows(found)), *listed(told)),
            *section(
                "Refusals", table(("figure", "share of cases, 95 %"), abstention_rows(found.abstention))
            ),
            *groups(found),
            *(_cause(share, found.of_cause(share.cause.name), most) for share in found.shares if share.count),
            *listed(notes(found.notes, SIGNS["not_measured"])),
        ),
        found.verdict,
        _status(found),
    )


def _status(found: Diagnosis) -> Status:
    if found.missed:
        return "missed"
    if found.not_measured or found.measured_nothing:
        return "not_measured"
    return "undecided" if found.undecided else "passed"


def _causes(found: Diagnosis) -> tuple[Section, ...]:
    note = " ".join(filter(None, (checks_sentence(found), worth_assumption(found))))
    rows = [cause_row(found, share) for share in found.shares]
    return section("Causes", table(cause_columns(found), rows, numbers=("cases", "by the judge"), note=note))


def groups(found: Diagnosis) -> tuple[Section, ...]:
    """Return where misses are frequent: labels that cases have in common, and similar texts."""
    if not found.missed:
        return ()
    slices = [
        Item(line(strong(slice_name(group), 120), f": {slice_text(group)}"))
        for group in (found.slices.found[:_MAX_GROUPS] if found.slices else ())
    ]
    similar = [
        Item(
            line(strong(similar_name(group), 120), f": {similar_text(group)}"),
            items=tuple(
                Item(_question(case), SIGNS["missed"])
                for case in similar_examples(found, group, _MAX_EXAMPLES)
            ),
        )
        for group in (found.similar.found[:_MAX_GROUPS] if found.similar else ())
    ]
    return (
        *section("Where", *listed(slices), Paragraph(line(quiet(slices_sentence(found.slices))))),
        *section("Similar misses", *listed(similar), Paragraph(line(quiet(similar_sentence(found))))),
    )


def _question(case: CaseDiagnosis) -> Line:
    return line(StyledText(f"#{case.place + 1} ", "quiet"), cut(case.case.input or case.case.id, 160))


def _cause(share: CauseShare, cases: tuple[CaseDiagnosis, ...], most: int | None) -> Section:
    told = Paragraph(line(share.cause.sentence, " ", quiet(share.cause.remedy)))
    shown = first([*map(_case, cases[:most])], most, len(cases))
    return Section(strong(share.cause.name), (told, shown), str(share.count))


def _case(case: CaseDiagnosis) -> Item:
    evidence = case.evidence.lines if case.evidence else ()
    told = tuple(
        line(StyledText(f"{label}: " if label and text else label, "quiet"), cut(text, 300))
        for label, text in evidence
    )
    return Item(_question(case), SIGNS["not_measured" if case.outcome == NOT_MEASURED else "missed"], told)


_FIELDS = (
    *("verdict", "undecided", "not_measured", "skipped", "passed", "judged_passed", "cluster", "by_owner"),
    *("generator_rate", "abstention", "slices", "notes"),
)


def values(found: Diagnosis) -> dict[str, Any]:
    """Return the diagnosis as JSON has it."""
    run, measured, similar = found.report.run, found.measured, found.similar
    gains = [{**plain(gain), "cause": gain.cause.name} for gain in (measured.gains if measured else ())]
    groups = [
        {"words": group.words, "causes": group.causes, **plain(group.cluster)}
        for group in (similar.found if similar else ())
    ]
    return {
        "schema": SCHEMA,
        "run": {"id": run.id, **plain(run.plan, "name", "judge", "prompts")},
        **plain(found, *_FIELDS),
        "cases": len(found.cases),
        "missed": len(found.missed),
        "causes": [
            {**plain(share.cause), **plain(share, "count", "share", "judged", "worth", "worth_most")}
            for share in found.shares
        ],
        "checked": found.checked and _checked(found.checked),
        "measured": measured and {**plain(measured), "gains": gains, "errors": dict(measured.errors)},
        "similar_misses": similar and {**plain(similar, "tried", "rate", "drawn"), "found": groups},
        "misses": [_miss(case) for case in found.missed],
    }


def _checked(checked: CorrectedShares[Outcome]) -> dict[str, Any]:
    pairs = checked.confusion.items()
    confusion = [{"judge": judge, "people": people, "cases": cases} for (judge, people), cases in pairs]
    return {**plain(checked, "checked", "agreed", "shares", "unchecked"), "confusion": confusion}


def _miss(case: CaseDiagnosis) -> dict[str, Any]:
    return {
        **plain(case, "place", "evidence", "missed"),
        "id": case.case.id,
        "input": case.case.input,
        "cause": case.cause.name if case.cause else None,
    }
