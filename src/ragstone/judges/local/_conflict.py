"""What speaks against a statement: another number or name in the same place, a negation on one side, an opposite word."""

from ragstone.judges.local._align import Alignment, telling
from ragstone.judges.local._embedding import word_vector
from ragstone.judges.local._evidence import Evidence, is_name
from ragstone.judges.local._lexicon import negates, opposites
from ragstone.judges.local._text import Token

_MATCHED = 0.75
"""Match above which a word counts as said by the evidence."""
_FRAME = {-2: 0.5, -1: 1.0, 1: 1.0, 2: 0.5}
"""Places around a word, and how much a match there tells."""
_BOTH_SIDES = 1.6
"""Fit that a word with a match on one side only cannot reach."""
_LIST = 8
"""Tokens that a list of names is followed along."""
_REACH = (5, 2)
"""Tokens before and after a word in which a negation still governs it."""


def conflicts(found: Alignment, evidence: Evidence) -> dict[str, float]:
    """Return the features of conflict of one aligned sentence, each from 0 (none) to about 1."""
    swaps = {"number": 0.0, "name": 0.0, "word": 0.0}
    for mine, theirs, strength in replacements(found, evidence):
        kind = _kind(mine, theirs, evidence)
        swaps[kind] = max(swaps[kind], strength)
    return {
        "number_conflict": swaps["number"],
        "name_conflict": swaps["name"],
        "word_conflict": swaps["word"],
        "negated_only_here": _negated_here(found, evidence),
        "negated_only_there": _negated_there(found, evidence),
        "opposite": max((strength for _, _, strength in contraries(found, evidence)), default=0.0),
    }


def _kind(mine: Token, theirs: Token, evidence: Evidence) -> str:
    if mine.number and theirs.number:
        return "number"
    return "name" if is_name(mine, evidence) and is_name(theirs, evidence) else "word"


def replacements(found: Alignment, evidence: Evidence) -> list[tuple[Token, Token, float]]:
    """Return the words that stand where the evidence has another: (mine, theirs, strength 0 to 1).

    Each telling word has a frame, the two words on either side. A word of the evidence that the statement never says is
    its rival where it fits that frame better than any place of the word itself. Numbers rival numbers, names
    rival names; any other word must fit the frame on both sides.
    """
    here = evidence.tokens[found.window]
    said = {token.stem for token in found.row}
    places: dict[str, list[int]] = {}
    for i, token in enumerate(here):
        places.setdefault(token.stem, []).append(i)
    result: list[tuple[Token, Token, float]] = []
    for i, mine in enumerate(found.row):
        if telling(mine):
            fits = _fits(found.row, i, places)
            own = max((fits.get(place, 0.0) for place in places.get(mine.stem, ())), default=0.0)
            known = 0.5 if mine.stem in places else 1.0
            listed = _listed(here, places.get(mine.stem, []))
            for slot, fit in fits.items():
                if fit <= own or not 0 <= slot < len(here) or slot in listed:
                    continue
                if here[slot].stem not in said and telling(here[slot]):
                    strength = known * min(1.0, fit - own) * _unlike(mine, here[slot], fit, evidence)
                    if strength > 0:
                        result.append((mine, here[slot], strength))
    return result


def _listed(row: tuple[Token, ...], places: list[int]) -> set[int]:
    """Return the places joined to some places by "and" or "or" alone: one of a list does not rival another."""
    joined: set[int] = set()
    for place in places:
        for step in (-1, 1):
            at = place + step
            while (
                0 <= at < len(row)
                and abs(at - place) <= _LIST
                and (row[at].capital or row[at].norm in {"and", "or"})
            ):
                joined.add(at)
                at += step
    return joined


def _fits(row: tuple[Token, ...], i: int, places: dict[str, list[int]]) -> dict[int, float]:
    """Return for each place of the evidence how well it fits the frame of the i-th token."""
    fits: dict[int, float] = {}
    for step, share in _FRAME.items():
        if 0 <= i + step < len(row):
            neighbour = row[i + step]
            gain = share * (1.0 if telling(neighbour) else 0.6)
            for place in places.get(neighbour.stem, ()):
                fits[place - step] = fits.get(place - step, 0.0) + gain
    return fits


def _unlike(mine: Token, theirs: Token, fit: float, evidence: Evidence) -> float:
    """Return how much two words in one place contradict each other: 0 where they need not."""
    if mine.number or theirs.number:
        return float(mine.number and theirs.number)
    names = is_name(mine, evidence) and is_name(theirs, evidence)
    if not names and fit < _BOTH_SIDES:
        return 0.0
    return 1 - max(float(word_vector(mine.norm)[0] @ word_vector(theirs.norm)[0]), 0.0)


def contraries(found: Alignment, evidence: Evidence) -> list[tuple[Token, str, float]]:
    """Return the telling words whose opposite the evidence says in their stead: (mine, opposite stem, weight share)."""
    known = {token.stem for token in evidence.tokens[found.window]}
    said = {token.stem for token in found.row}
    return [
        (token, min(against), float(1 - 0.5 * weight / found.weights.sum()))
        for token, weight in zip(found.content, found.weights, strict=True)
        if token.stem not in known and (against := (opposites(token.stem) & known) - said)
    ]


def _negated_here(found: Alignment, evidence: Evidence) -> float:
    """Return how surely the statement negates what the evidence affirms."""
    governed = _governed(found.row)
    return max(
        (
            float(match)
            for token, match, place in zip(found.content, found.best, found.place, strict=True)
            if match >= _MATCHED
            and token in governed
            and not _negation_near(evidence.tokens, int(place), found.window)
        ),
        default=0.0,
    )


def _negated_there(found: Alignment, evidence: Evidence) -> float:
    """Return how surely the evidence negates what the statement affirms."""
    here = evidence.tokens[found.window]
    governed = {id(token) for token in _governed(here)}
    negated = [i for i, token in enumerate(found.row) if negates(token.norm)]
    rows = {id(token): i for i, token in enumerate(found.row)}
    return max(
        (
            float(match)
            for token, match, place in zip(found.content, found.best, found.place, strict=True)
            if match >= _MATCHED
            and id(evidence.tokens[place]) in governed
            and not any(-_REACH[1] <= rows[id(token)] - i <= _REACH[0] for i in negated)
        ),
        default=0.0,
    )


def _governed(row: tuple[Token, ...]) -> list[Token]:
    """Return the first telling word after each negation, or before it where none follows."""
    result: list[Token] = []
    for i, token in enumerate(row):
        if negates(token.norm):
            following = [t for t in row[i + 1 : i + 1 + _REACH[0]] if telling(t) and not negates(t.norm)]
            before = [t for t in row[max(0, i - 2) : i] if telling(t)]
            result += following[:1] or before[-1:]
    return result


def _negation_near(row: tuple[Token, ...], place: int, window: slice) -> bool:
    near = row[max(window.start, place - _REACH[0]) : min(window.stop, place + _REACH[1] + 1)]
    return any(negates(token.norm) for token in near)
