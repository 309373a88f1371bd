"""Why test cases flipped: the comparison, then the flipped cases by cause and document, then each with its causes."""

from dataclasses import replace
from typing import Any

from ragstone.findings.flips import ExplainedComparison, FlippedCase, group_sentence
from ragstone.show import comparison
from ragstone.show.document import (
    ARROW,
    SIGNS,
    Document,
    Item,
    Items,
    StyledText,
    cut,
    first,
    line,
    quiet,
    section,
)
from ragstone.show.render.json import plain

_MAX_GROUPS, _MAX_CASES = 8, 20
_FIELDS = ("broke", "metrics", "before", "after", "evidence", "document", "left", "entered")


def document(found: ExplainedComparison, most: int | None = _MAX_CASES) -> Document:
    """Return the comparison with the causes of its flipped cases, at most `most` of them; None for all."""
    compared = comparison.document(found.comparison, most)
    broke, mended = len(found.broke), len(found.flipped) - len(found.broke)
    groups = tuple(
        Item(line(group_sentence(group, broke if group.broke else mended)), _sign(broke=group.broke))
        for group in found.groups[:_MAX_GROUPS]
    )
    cases = first([_flip(flip) for flip in found.flipped[:most]], most, len(found.flipped))
    told = (Items(groups), cases) if groups else (Items((Item(line("No test case flipped.")),)),)
    return replace(compared, blocks=(*compared.blocks, *section("Why", *told)))


def values(found: ExplainedComparison) -> dict[str, Any]:
    """Return the comparison with its causes under `why`."""
    flips = [
        {**plain(flip, *_FIELDS), "case_id": flip.case.id, "input": flip.case.input} for flip in found.flipped
    ]
    why = {"verdict": found.verdict, "groups": found.groups, "flipped": flips}
    return {**comparison.values(found.comparison), "why": why}


def _flip(flip: FlippedCase) -> Item:
    changes = [
        line(quiet(f"{word}: {', '.join(names[:3])}{f' and {len(names) - 3} more' if names[3:] else ''}"))
        for word, names in (("left", flip.left), ("entered", flip.entered))
        if names
    ]
    question = cut(flip.case.input or flip.case.id, 120)
    text = line(f"{flip.before} {ARROW} {flip.after}  {question}")
    return Item(text, _sign(broke=flip.broke), tuple(changes))


def _sign(*, broke: bool) -> StyledText:
    return SIGNS["missed" if broke else "passed"]
