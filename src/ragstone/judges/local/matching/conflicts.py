"""Features that speak against a statement: another word in its place, a negation on one side, an opposite word."""

from itertools import pairwise

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.substitutes import ConflictKind, find_substitutes
from ragstone.judges.local.text.lexicon import is_negation, opposites
from ragstone.judges.local.text.tokens import WordToken

_MATCHED = 0.75
"""Match above which a word counts as said by the evidence."""
_COMPARISONS = frozenset(("more", "less", "fewer", "later", "earlier", "only", "just"))
"""Words after which a negation compares or adds instead of denying."""
_BOUNDED = 4
"""Tokens after a negation in which "more than" makes it a bound: "do not take more than one"."""
_CLOSE = 4
"""Distance in tokens from a neighbour within which an opposite counts as a replacement of a word."""
_REACH = (5, 2)
"""Number of tokens before and after a word in which a negation applies to it."""


def conflict_features(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    """Return the features of conflict of one aligned sentence, each from 0 (none) to about 1."""
    worst: dict[ConflictKind, float] = {"number": 0.0, "name": 0.0, "word": 0.0, "opposite": 0.0}
    for substitute in find_substitutes(found, evidence):
        worst[substitute.kind] = max(worst[substitute.kind], substitute.strength)
    apart = max((strength for _, _, strength in opposite_words(found, evidence)), default=0.0)
    return {
        "number_conflict": worst["number"],
        "name_conflict": worst["name"],
        "word_conflict": worst["word"],
        "negated_only_here": _negated_here(found, evidence),
        "negated_only_there": _negated_there(found, evidence),
        "opposite": max(worst["opposite"], apart),
    }


def opposite_words(found: Alignment, evidence: EvidenceIndex) -> list[tuple[WordToken, WordToken, float]]:
    """Return the content words the evidence lacks while it has their opposite nearby: (mine, theirs, strength).

    Nearby means: close to where a neighbour of the word was found.
    """
    result: list[tuple[WordToken, WordToken, float]] = []
    best, places = found.match.tolist(), found.positions.tolist()
    for i, token in enumerate(found.content_words):
        near = [places[j] for j in (i - 1, i + 1) if 0 <= j < len(places) and best[j] >= _MATCHED]
        if near and best[i] < 1:
            theirs = _nearby(opposites(token.stem) - found.stems, near, evidence)
            if theirs is not None:
                result.append((token, theirs, float(1 - 0.5 * found.weights[i] / found.weights.sum())))
    return result


def _nearby(stems: frozenset[str], places: list[int], evidence: EvidenceIndex) -> WordToken | None:
    """Return a token with one of the stems close to one of the places, or None."""
    for place in places:
        for at in range(max(0, place - _CLOSE), min(len(evidence.stems), place + _CLOSE + 1)):
            if evidence.stems[at] in stems:
                return evidence.tokens[at]
    return None


def _negated_here(found: Alignment, evidence: EvidenceIndex) -> float:
    """Return how surely the statement negates a word that the evidence affirms at every occurrence."""
    match = {
        t.start: float(m) for t, m in zip(found.content_words, found.match, strict=True) if m >= _MATCHED
    }
    governed = _governed(found.tokens, set(match))
    if not governed:
        return 0.0
    known = set(evidence.stems[found.best_window])
    rows = (evidence.tokens[place] for place in (found.best_window, *found.closest_sentences))
    denied = {row[i].stem for row in rows for i in _touched(row)}
    near = {
        t.start: evidence.stems[int(p)] for t, p in zip(found.content_words, found.positions, strict=True)
    }
    return max(
        (
            match[token.start]
            for token in governed
            if token.start in match and near[token.start] not in denied and not opposites(token.stem) & known
        ),
        default=0.0,
    )


def _negated_there(found: Alignment, evidence: EvidenceIndex) -> float:
    """Return how surely the evidence negates a word that the statement affirms.

    Only a sentence that says most of the statement can deny it, not "by rain is not insured" in the next sentence.
    """
    denied = _denied_stems(found, evidence)
    if not denied:
        return 0.0
    touched = {found.tokens[i].start for i in _touched(found.tokens)}
    return max(
        (
            float(match)
            for token, match, place in zip(found.content_words, found.match, found.positions, strict=True)
            if match >= _MATCHED and evidence.stems[int(place)] in denied and token.start not in touched
        ),
        default=0.0,
    )


def _denied_stems(found: Alignment, evidence: EvidenceIndex) -> set[str]:
    """Return the stems that the sentences carrying the statement deny, and neither they nor the window affirm."""
    denied: set[str] = set()
    for sentence in found.closest_sentences:
        denied |= {token.stem for token in _governed(evidence.tokens[sentence])}
    return denied - _affirmed(found, evidence) if denied else denied


def _affirmed(found: Alignment, evidence: EvidenceIndex) -> set[str]:
    stems: set[str] = set()
    for place in (found.best_window, *found.closest_sentences):
        row = evidence.tokens[place]
        touched = _touched(row)
        stems |= {token.stem for i, token in enumerate(row) if i not in touched}
    return stems


def _governed(row: tuple[WordToken, ...], known: set[int] | None = None) -> list[WordToken]:
    """Return the first content word after each negation (of those starting at known places), else the one before it."""
    result: list[WordToken] = []
    for i in range(len(row)):
        if _denies(row, i):
            following = [
                t for t in row[i + 1 : i + 1 + _REACH[0]] if is_content_word(t) and not is_negation(t.norm)
            ]
            before = [t for t in row[max(0, i - 2) : i] if is_content_word(t)]
            found = [t for t in following if known is None or t.start in known]
            result += found[:1] or ([] if following else before[-1:])
    return result


def _touched(row: tuple[WordToken, ...]) -> set[int]:
    """Return the places near a negation, even one that is part of a bound ("take no more than")."""
    places: set[int] = set()
    for i, token in enumerate(row):
        if is_negation(token.norm):
            places.update(range(max(0, i - _REACH[1]), min(len(row), i + _REACH[0] + 1)))
    return places


def _denies(row: tuple[WordToken, ...], i: int) -> bool:
    """Whether a token negates what follows; "no more than", "not only" and "do not take more than" do not."""
    if not is_negation(row[i].norm) or (i + 1 < len(row) and row[i + 1].norm in _COMPARISONS):
        return False
    following = row[i + 1 : i + 2 + _BOUNDED]
    pairs = pairwise(following)
    return not any(one.norm in _COMPARISONS and other.norm == "than" for one, other in pairs)
