"""What speaks against a statement: a rival in a word's place, a negation on one side only, an opposite word."""

from ragstone.judges.local._align import Alignment, telling
from ragstone.judges.local._evidence import Evidence
from ragstone.judges.local._lexicon import negates, opposites
from ragstone.judges.local._rivals import Kind, rivals
from ragstone.judges.local._text import Token

_MATCHED = 0.75
"""Match above which a word counts as said by the evidence."""
_CLOSE = 4
"""Tokens from a neighbour within which an opposite stands in a word's stead."""
_REACH = (5, 2)
"""Tokens before and after a word in which a negation still governs it."""


def conflicts(found: Alignment, evidence: Evidence) -> dict[str, float]:
    """Return the features of conflict of one aligned sentence, each from 0 (none) to about 1."""
    worst: dict[Kind, float] = {"number": 0.0, "name": 0.0, "word": 0.0, "opposite": 0.0}
    for rival in rivals(found, evidence):
        worst[rival.kind] = max(worst[rival.kind], rival.strength)
    apart = max((strength for _, _, strength in contraries(found, evidence)), default=0.0)
    return {
        "number_conflict": worst["number"],
        "name_conflict": worst["name"],
        "word_conflict": worst["word"],
        "negated_only_here": _negated_here(found, evidence),
        "negated_only_there": _negated_there(found, evidence),
        "opposite": max(worst["opposite"], apart),
    }


def contraries(found: Alignment, evidence: Evidence) -> list[tuple[Token, Token, float]]:
    """Return the telling words the evidence lacks while it has their opposite nearby: (mine, theirs, strength).

    Nearby means: close to where a neighbour of the word was found.
    """
    said = {token.stem for token in found.row}
    result: list[tuple[Token, Token, float]] = []
    for i, token in enumerate(found.content):
        if found.best[i] < 1 and (against := opposites(token.stem) - said):
            near = [
                int(found.place[j])
                for j in (i - 1, i + 1)
                if 0 <= j < len(found.place) and found.best[j] >= _MATCHED
            ]
            theirs = _nearby(against, near, evidence)
            if theirs is not None:
                result.append((token, theirs, float(1 - 0.5 * found.weights[i] / found.weights.sum())))
    return result


def _nearby(stems: frozenset[str], places: list[int], evidence: Evidence) -> Token | None:
    """Return a token with one of the stems close to one of the places, or None."""
    for place in places:
        for token in evidence.tokens[max(0, place - _CLOSE) : place + _CLOSE + 1]:
            if token.stem in stems:
                return token
    return None


def _negated_here(found: Alignment, evidence: Evidence) -> float:
    """Return how surely the statement negates what the evidence affirms."""
    known = {token.stem for token in evidence.tokens[found.window]}
    places = {
        token.start: (float(match), int(place))
        for token, match, place in zip(found.content, found.best, found.place, strict=True)
        if match >= _MATCHED
    }
    worst = 0.0
    for token in _governed(found.row, set(places)):
        if token.start in places and not opposites(token.stem) & known:
            match, place = places[token.start]
            worst = max(worst, 0.0 if _negation_near(evidence.tokens, place, found.window) else match)
    return worst


def _negated_there(found: Alignment, evidence: Evidence) -> float:
    """Return how surely the evidence negates what the statement affirms."""
    here = evidence.tokens[found.window]
    governed = {(token.start, token.end) for token in _governed(here)}
    negated = [i for i, token in enumerate(found.row) if negates(token.norm)]
    index = {token.start: i for i, token in enumerate(found.row)}
    return max(
        (
            float(match)
            for token, match, place in zip(found.content, found.best, found.place, strict=True)
            if match >= _MATCHED
            and (evidence.tokens[int(place)].start, evidence.tokens[int(place)].end) in governed
            and not any(-_REACH[1] <= index[token.start] - i <= _REACH[0] for i in negated)
        ),
        default=0.0,
    )


def _governed(row: tuple[Token, ...], known: set[int] | None = None) -> list[Token]:
    """Return the first telling word after each negation (of those starting at known places), else the one before it."""
    result: list[Token] = []
    for i, token in enumerate(row):
        if negates(token.norm):
            following = [t for t in row[i + 1 : i + 1 + _REACH[0]] if telling(t) and not negates(t.norm)]
            before = [t for t in row[max(0, i - 2) : i] if telling(t)]
            found = [t for t in following if known is None or t.start in known]
            result += found[:1] or ([] if following else before[-1:])
    return result


def _negation_near(row: tuple[Token, ...], place: int, window: slice) -> bool:
    near = row[max(window.start, place - _REACH[0]) : min(window.stop, place + _REACH[1] + 1)]
    return any(negates(token.norm) for token in near)
