"""The reason of a verdict in words: what contradicts a statement, or what the evidence lacks."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.conflicts import conflicts, contraries
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.names import displaced
from ragstone.judges.local.matching.number_ranges import NumberRanges, covered
from ragstone.judges.local.matching.replacements import replaced
from ragstone.judges.local.matching.rivals import Rival, rivals
from ragstone.judges.local.matching.roles import exchanged, other_subject
from ragstone.judges.local.matching.swaps import swapped
from ragstone.judges.local.text.lexicon import negates
from ragstone.judges.local.text.tokens import WordToken

_SHOWN = 4
_FOUND = 0.5
_QUOTED = 120
"""Characters of a sentence that a reason quotes."""
_OBJECT = 4
"""Number of tokens after a negation in which a number belongs to the denied phrase."""


class Ground(NamedTuple):
    """A ground in the evidence against a statement.

    Attributes:
        kind: another number, name or word in its place, an opposite, or a negation that only the statement (`negated`)
            or only the passage (`denied`) has.
        text: the same in words.
    """

    kind: Literal["number", "name", "word", "opposite", "negated", "denied"]
    text: str


def ground_against(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> Ground | None:
    """Return the ground in the evidence against the statement, None without one."""
    return next((ground for found in alignments if (ground := _against(found, evidence))), None)


def against(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return the ground in the evidence against the statement in words, or an empty text."""
    found = ground_against(alignments, evidence)
    return found.text if found else displacing(alignments, evidence)


def contradicting(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return the ground against the statement in words, or a quotation of the sentence nearest to it."""
    return against(alignments, evidence) or _otherwise(alignments, evidence)


def _otherwise(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    nearest = max((found.weights @ found.by_sentence for found in alignments), key=max)
    text = " ".join(evidence.texts[int(nearest.argmax())].split())
    return f'the passage says otherwise: "{shorten(text)}"'


def shorten(text: str) -> str:
    """Return the beginning of a text, cut at a word."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED].rsplit(' ', 1)[0]} …"


def _against(found: Alignment, evidence: EvidenceIndex) -> Ground | None:
    if found_rivals := [rival for rival in rivals(found, evidence) if not _allowed(rival, found, evidence)]:
        worst = max(found_rivals, key=lambda rival: (rival.kind != "word", rival.strength))
        kind = "an opposite" if worst.kind == "opposite" else f"another {worst.kind}"
        return Ground(worst.kind, f"{kind}: {_both_say(worst.mine, worst.theirs)}")
    if contrary := contraries(found, evidence):
        mine, theirs, _ = max(contrary, key=lambda pair: pair[2])
        return Ground("opposite", f"an opposite: {_both_say(mine, theirs)}")
    values = conflicts(found, evidence)
    if values["negated_only_here"] and not _denies_another_number(found, evidence):
        return Ground("negated", "negation: only the statement denies it")
    if values["negated_only_there"]:
        return Ground("denied", "negation: only the passage denies it")
    return None


def _both_say(mine: WordToken, theirs: WordToken) -> str:
    return f'the statement says "{mine.word}", the passage "{theirs.word}"'


def _allowed(rival: Rival, found: Alignment, evidence: EvidenceIndex) -> bool:
    """Whether a rivalled number lies in a bound that the evidence states beside it: 75 between "60 or more" and 120."""
    if rival.kind != "number":
        return False
    i = next(i for i, token in enumerate(found.row) if token is rival.mine)
    return bound_of(found, i, evidence) is not None


def bound_of(found: Alignment, i: int, evidence: EvidenceIndex) -> WordToken | None:
    """Return the bound in the evidence that allows the number which is the i-th token, None where there is none."""
    mine = NumberRanges(found.row)
    bounds = (
        theirs.row[place]
        for theirs in (NumberRanges(evidence.tokens[sentence]) for sentence in found.carriers)
        for place in range(len(theirs.row))
        if covered(mine, i, theirs, place)
    )
    return next(bounds, None)


def _denies_another_number(found: Alignment, evidence: EvidenceIndex) -> bool:
    """Whether the statement denies a number that the evidence lacks: "not two tablets" may mean one tablet."""
    known = {token.stem for token in evidence.tokens[found.window]}
    return any(
        token.number and token.stem not in known
        for i, negation in enumerate(found.row)
        if negates(negation.norm)
        for token in found.row[i + 1 : i + 1 + _OBJECT]
    )


def displacing(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which name of the evidence stands in the place of a name of the statement, or an empty text."""
    for found in alignments:
        for mine, theirs in displaced(found, evidence):
            return f"another name: {_both_say(mine, theirs)}"
    return ""


def turned(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which words the statement exchanges, or which other subject it has, or an empty text."""
    for found in alignments:
        for mine, theirs in exchanged(found, evidence):
            return f'exchanged: in the passage "{theirs.word}" does it, in the statement "{mine.word}"'
        for mine, theirs in other_subject(found, evidence):
            return f"another name: {_both_say(mine, theirs)}"
        for one, other in swapped(found, evidence):
            return f'exchanged: the passage has "{one.word}" and "{other.word}" the other way round'
    return ""


def edited(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which number or name a copy of the evidence replaces, or an empty text."""
    for found in alignments:
        for mine, theirs in replaced(found, evidence):
            return f"another {'number' if mine.number else 'name'}: {_both_say(mine, theirs)}"
    return ""


def missing(alignments: Sequence[Alignment]) -> str:
    """Return which content words the evidence lacks."""
    words = [
        t.word
        for found in alignments
        for t, best in zip(found.content, found.best, strict=True)
        if best < _FOUND
    ]
    if not words:
        return "all words are found, but not said together"
    shown = ", ".join(f'"{word}"' for word in dict.fromkeys(words[:_SHOWN]))
    return (
        f"{shown}{' and more are' if len(words) > _SHOWN else ' is' if len(words) == 1 else ' are'} not found"
    )
