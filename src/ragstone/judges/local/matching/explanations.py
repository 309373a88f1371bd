"""The reason of a verdict in words: what contradicts a statement, or what the evidence lacks."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.conflicts import conflict_features, opposite_words
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.names import displaced_names
from ragstone.judges.local.matching.number_ranges import NumberRanges, lies_within_bound
from ragstone.judges.local.matching.replacements import replaced_words
from ragstone.judges.local.matching.roles import exchanged_roles, replaced_subject
from ragstone.judges.local.matching.substitutes import Substitute, find_substitutes
from ragstone.judges.local.matching.swaps import exchanged_words
from ragstone.judges.local.text.lexicon import is_negation
from ragstone.judges.local.text.tokens import WordToken

_SHOWN = 4
_FOUND = 0.5
_QUOTED = 120
"""Characters of a sentence that a reason quotes."""
_OBJECT = 4
"""Number of tokens after a negation in which a number belongs to the denied phrase."""


class Counterevidence(NamedTuple):
    """A ground in the evidence against a statement.

    Attributes:
        kind: another number, name or word in its place, an opposite, or a negation that only the statement (`negated`)
            or only the passage (`denied`) has.
        text: the same in words.
    """

    kind: Literal["number", "name", "word", "opposite", "negated", "denied"]
    text: str


def find_counterevidence(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> Counterevidence | None:
    """Return the ground in the evidence against the statement, None without one."""
    return next((ground for found in alignments if (ground := _against(found, evidence))), None)


def describe_counterevidence(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return the ground in the evidence against the statement in words, or an empty text."""
    found = find_counterevidence(alignments, evidence)
    return found.text if found else describe_displaced_name(alignments, evidence)


def describe_contradiction(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return the ground against the statement in words, or a quotation of the sentence nearest to it."""
    return describe_counterevidence(alignments, evidence) or _otherwise(alignments, evidence)


def _otherwise(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    nearest = max((found.weights @ found.match_by_sentence for found in alignments), key=max)
    text = " ".join(evidence.sentence_texts[int(nearest.argmax())].split())
    return f'the passage says otherwise: "{shorten(text)}"'


def shorten(text: str) -> str:
    """Return the beginning of a text, cut at a word."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED].rsplit(' ', 1)[0]} …"


def _against(found: Alignment, evidence: EvidenceIndex) -> Counterevidence | None:
    if found_substitutes := [
        substitute
        for substitute in find_substitutes(found, evidence)
        if not _allowed(substitute, found, evidence)
    ]:
        worst = max(
            found_substitutes, key=lambda substitute: (substitute.kind != "word", substitute.strength)
        )
        kind = "an opposite" if worst.kind == "opposite" else f"another {worst.kind}"
        return Counterevidence(worst.kind, f"{kind}: {_both_say(worst.statement_word, worst.evidence_word)}")
    if contrary := opposite_words(found, evidence):
        mine, theirs, _ = max(contrary, key=lambda pair: pair[2])
        return Counterevidence("opposite", f"an opposite: {_both_say(mine, theirs)}")
    values = conflict_features(found, evidence)
    if values["negated_only_here"] and not _denies_another_number(found, evidence):
        return Counterevidence("negated", "negation: only the statement denies it")
    if values["negated_only_there"]:
        return Counterevidence("denied", "negation: only the passage denies it")
    return None


def _both_say(mine: WordToken, theirs: WordToken) -> str:
    return f'the statement says "{mine.word}", the passage "{theirs.word}"'


def _allowed(substitute: Substitute, found: Alignment, evidence: EvidenceIndex) -> bool:
    """Whether a number lies in a bound that the evidence states near its substitute: 75 in "60 or more"."""
    if substitute.kind != "number":
        return False
    i = next(i for i, token in enumerate(found.tokens) if token is substitute.statement_word)
    return find_bound(found, i, evidence) is not None


def find_bound(found: Alignment, i: int, evidence: EvidenceIndex) -> WordToken | None:
    """Return the bound in the evidence that allows the number which is the i-th token, None where there is none."""
    mine = NumberRanges(found.tokens)
    bounds = (
        theirs.row[place]
        for theirs in (NumberRanges(evidence.tokens[sentence]) for sentence in found.closest_sentences)
        for place in range(len(theirs.row))
        if lies_within_bound(mine, i, theirs, place)
    )
    return next(bounds, None)


def _denies_another_number(found: Alignment, evidence: EvidenceIndex) -> bool:
    """Whether the statement denies a number that the evidence lacks: "not two tablets" may mean one tablet."""
    known = {token.stem for token in evidence.tokens[found.best_window]}
    return any(
        token.is_number and token.stem not in known
        for i, negation in enumerate(found.tokens)
        if is_negation(negation.norm)
        for token in found.tokens[i + 1 : i + 1 + _OBJECT]
    )


def describe_displaced_name(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which name of the evidence stands in the place of a name of the statement, or an empty text."""
    for found in alignments:
        for mine, theirs in displaced_names(found, evidence):
            return f"another name: {_both_say(mine, theirs)}"
    return ""


def describe_exchange(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which words the statement exchanges, or which other subject it has, or an empty text."""
    for found in alignments:
        for mine, theirs in exchanged_roles(found, evidence):
            return f'exchanged: in the passage "{theirs.word}" does it, in the statement "{mine.word}"'
        for mine, theirs in replaced_subject(found, evidence):
            return f"another name: {_both_say(mine, theirs)}"
        for one, other in exchanged_words(found, evidence):
            return f'exchanged: the passage has "{one.word}" and "{other.word}" the other way round'
    return ""


def describe_replacement(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which number or name a copy of the evidence replaces, or an empty text."""
    for found in alignments:
        for mine, theirs in replaced_words(found, evidence):
            return f"another {'number' if mine.is_number else 'name'}: {_both_say(mine, theirs)}"
    return ""


def describe_missing_words(alignments: Sequence[Alignment]) -> str:
    """Return which content words the evidence lacks."""
    words = [
        t.word
        for found in alignments
        for t, best in zip(found.content_words, found.match, strict=True)
        if best < _FOUND
    ]
    if not words:
        return "all words are found, but not said together"
    shown = ", ".join(f'"{word}"' for word in dict.fromkeys(words[:_SHOWN]))
    return (
        f"{shown}{' and more are' if len(words) > _SHOWN else ' is' if len(words) == 1 else ' are'} not found"
    )
