"""The grounds of a verdict in words: what stands against a statement, or what the evidence lacks."""

from collections.abc import Sequence

from ragstone.judges.local._align import Alignment
from ragstone.judges.local._conflict import conflicts, contraries, replacements
from ragstone.judges.local._evidence import Evidence

_SHOWN = 4
_FOUND = 0.5


def against(alignments: Sequence[Alignment], evidence: Evidence) -> str:
    """Return what in the evidence speaks against the statement, or an empty text."""
    return next((ground for found in alignments if (ground := _against(found, evidence))), "")


def _against(found: Alignment, evidence: Evidence) -> str:
    swaps = sorted(
        replacements(found, evidence), key=lambda swap: (-(swap[0].number or swap[0].capital), -swap[2])
    )
    if swaps:
        mine, theirs, _ = swaps[0]
        kind = (
            "number"
            if mine.number and theirs.number
            else "name"
            if mine.capital and theirs.capital
            else "word"
        )
        return f'another {kind}: the statement says "{mine.word}", the passage "{theirs.word}"'
    if contrary := contraries(found, evidence):
        mine, opposite, _ = max(contrary, key=lambda pair: pair[2])
        theirs = next(t.word for t in evidence.tokens[found.window] if t.stem == opposite)
        return f'the opposite: the statement says "{mine.word}", the passage "{theirs}"'
    values = conflicts(found, evidence)
    if values["negated_only_here"] or values["negated_only_there"]:
        side = "statement" if values["negated_only_here"] else "passage"
        return f"negation: only the {side} denies it"
    return ""


def missing(alignments: Sequence[Alignment]) -> str:
    """Return which telling words the evidence lacks."""
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
