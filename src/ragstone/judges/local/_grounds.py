"""The grounds of a verdict in words: what stands against a statement, or what the evidence lacks."""

from collections.abc import Sequence

from ragstone.judges.local._align import Alignment
from ragstone.judges.local._conflict import conflicts, contraries
from ragstone.judges.local._evidence import Evidence
from ragstone.judges.local._rivals import rivals

_SHOWN = 4
_FOUND = 0.5


def against(alignments: Sequence[Alignment], evidence: Evidence) -> str:
    """Return what in the evidence speaks against the statement, or an empty text."""
    return next((ground for found in alignments if (ground := _against(found, evidence))), "")


def _against(found: Alignment, evidence: Evidence) -> str:
    if found_rivals := list(rivals(found, evidence)):
        worst = max(found_rivals, key=lambda rival: (rival.kind != "word", rival.strength))
        kind = "an opposite" if worst.kind == "opposite" else f"another {worst.kind}"
        return f'{kind}: the statement says "{worst.mine.word}", the passage "{worst.theirs.word}"'
    if contrary := contraries(found, evidence):
        mine, theirs, _ = max(contrary, key=lambda pair: pair[2])
        return f'an opposite: the statement says "{mine.word}", the passage "{theirs.word}"'
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
