"""What speaks against a statement: another number or name in the same place, a negation on one side, an opposite word."""

from ragstone.judges.local._align import Alignment, telling
from ragstone.judges.local._embedding import word_vector
from ragstone.judges.local._evidence import Evidence
from ragstone.judges.local._lexicon import negates, opposites
from ragstone.judges.local._text import Token

_MATCHED = 0.75
"""Match above which a word counts as said by the evidence."""
_REACH = (5, 2)
"""Tokens before and after a word in which a negation still governs it."""


def conflicts(found: Alignment, evidence: Evidence) -> dict[str, float]:
    """Return the features of conflict of one aligned sentence, each from 0 (none) to about 1."""
    swaps = {"number": 0.0, "name": 0.0, "word": 0.0}
    for mine, theirs, strength in replacements(found, evidence):
        kind = _kind(mine, theirs)
        swaps[kind] = max(swaps[kind], strength)
    return {
        "number_conflict": swaps["number"],
        "name_conflict": swaps["name"],
        "word_conflict": swaps["word"],
        "negated_only_here": _negated_here(found, evidence),
        "negated_only_there": _negated_there(found, evidence),
        "opposite": max((strength for _, _, strength in contraries(found, evidence)), default=0.0),
    }


def _kind(mine: Token, theirs: Token) -> str:
    if mine.number and theirs.number:
        return "number"
    return "name" if mine.capital and theirs.capital and not mine.first else "word"


def replacements(found: Alignment, evidence: Evidence) -> list[tuple[Token, Token, float]]:
    """Return the words that stand where the evidence has another: (mine, theirs, strength 0 to 1).

    A word is replaced when the evidence window lacks it and has a word that the statement lacks between the same
    neighbours; one same neighbour is enough for a number against a number and a name against a name.
    """
    here = evidence.tokens[found.window]
    known = {token.stem for token in here}
    said = {token.stem for token in found.row}
    after: dict[str, list[int]] = {}
    for i, token in enumerate(here):
        after.setdefault(token.stem, []).append(i)
    result: list[tuple[Token, Token, float]] = []
    for i, mine in enumerate(found.row):
        if mine.stem in known or not telling(mine):
            continue
        left = found.row[i - 1].stem if i else ""
        right = found.row[i + 1].stem if i + 1 < len(found.row) else ""
        slots = [(p + 1, 1) for p in after.get(left, ())] + [(p - 1, -1) for p in after.get(right, ())]
        for slot, side in slots:
            if not 0 <= slot < len(here) or here[slot].stem in said or not telling(here[slot]):
                continue
            other = slot + side
            both = 0 <= other < len(here) and here[other].stem == (right if side > 0 else left)
            alike = (mine.number and here[slot].number) or (
                mine.capital and here[slot].capital and not mine.first
            )
            if both or alike:
                result.append((mine, here[slot], _strength(mine, here[slot], both=both)))
    return result


def _strength(mine: Token, theirs: Token, *, both: bool) -> float:
    if mine.number and theirs.number:
        return 1.0 if both else 0.7
    near = float(word_vector(mine.norm)[0] @ word_vector(theirs.norm)[0])
    return (1 - max(near, 0.0)) * (1.0 if both else 0.6)


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
