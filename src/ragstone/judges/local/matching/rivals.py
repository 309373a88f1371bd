"""Rivals: words of the evidence that stand where the statement has another word.

A word's frame is the two words on either side. A word of the evidence is a rival where it fits that frame
better than any place of the word itself: "moved to Oslo in" against "moved to Rome in". Numbers rival
numbers, names rival names, opposites rival each other; any other word must fit the frame on both sides.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.alignment import Alignment, telling
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name
from ragstone.judges.local.matching.number_ranges import NumberRanges, excluded
from ragstone.judges.local.model.word_vectors import word_vector
from ragstone.judges.local.text.lexicon import OPPOSITES, opposites
from ragstone.judges.local.text.tokens import WordToken

Kind = Literal["number", "name", "opposite", "word"]
_Frame = list[tuple[int, str, float]]
"""For each neighbour of a word: its offset, its stem, and the weight of a match."""

_FRAME = {-2: 0.5, -1: 1.0, 1: 1.0, 2: 0.5}
"""Offsets around a word, and the weight of a match there."""
_FUNCTION = 0.6
"""Weight of a match of a function word, relative to a match of a content word."""
_ONE_SIDE, _BOTH_SIDES = 0.9, 1.6
"""Fits that one neighbour can give, and that only neighbours on both sides can."""
_KNOWN = 0.75
"""Factor for the strength of a rival if the evidence has the word itself too."""
_FEW = 32
"""Most places of a word that are compared one by one."""
_LIST = 8
"""Most tokens over which a list of names is followed."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Two words in one place.

    Attributes:
        mine: the statement's word.
        theirs: the evidence's.
        kind: the kind of their conflict.
        strength: how surely they exclude each other, 0 to 1.
    """

    mine: WordToken
    theirs: WordToken
    kind: Kind
    strength: float


def rivals(found: Alignment, evidence: EvidenceIndex) -> Iterator[Rival]:
    """Yield the rivals of an aligned sentence's words, in their order, then those of its longer names.

    The search covers the closest window, then the sentences that say nearly as much.
    """
    searched = (found.window, *(place for place in found.carriers if not _inside(place, found.window)))
    frames = _frames(found.row)
    fits: dict[tuple[str, tuple[tuple[int, str, float], ...]], float] = {}
    own: dict[int, float] = {}
    for i, frame in frames.items():
        key = found.row[i].stem, tuple(frame)  # a word that occurs a thousand times has few frames
        if key not in fits:
            fits[key] = _own_fit(found.row[i], frame, evidence)
        own[i] = fits[key]
    mine = NumberRanges(found.row)
    # No place fits a frame better than one that fits all of it.
    frames = {i: frame for i, frame in frames.items() if own[i] < sum(gain for _, _, gain in frame)}
    for place in searched:
        yield from _single(found, evidence, place, frames, own, mine)
    if found.runs:
        yield from _named(found, evidence, searched)


def _single(  # noqa: PLR0917 - what `rivals` has prepared once for all places
    found: Alignment,
    evidence: EvidenceIndex,
    place: slice,
    frames: dict[int, _Frame],
    own: dict[int, float],
    numbers: NumberRanges,
) -> Iterator[Rival]:
    here = evidence.tokens[place]
    theirs = NumberRanges(here)
    places: dict[str, list[int]] = {}
    for i, stem in enumerate(evidence.stems[place]):
        places.setdefault(stem, []).append(i)
    for i, frame in frames.items():
        mine = found.row[i]
        better = {
            slot: fit for slot, fit in _fits(frame, places).items() if fit > own[i] and 0 <= slot < len(here)
        }
        listed = _listed(here, places.get(mine.stem, [])) if better else set[int]()
        for slot, fit in better.items():
            if slot not in listed:
                kind, unlike = _clash(found, numbers, i, theirs, slot, fit, evidence)
                if unlike:
                    known = mine.stem in evidence.places and kind != "opposite"
                    weight = unlike * (_KNOWN if known else 1.0)
                    yield Rival(mine, here[slot], kind, weight * min(1.0, fit - own[i]))


def _frames(row: tuple[WordToken, ...]) -> dict[int, _Frame]:
    """Return the frame of each token that may have a rival."""
    gains = [1.0 if telling(token) else _FUNCTION for token in row]
    return {
        i: [
            (step, row[i + step].stem, share * gains[i + step])
            for step, share in _FRAME.items()
            if 0 <= i + step < len(row)
        ]
        for i, token in enumerate(row)
        if telling(token) or token.stem in OPPOSITES
    }


def _inside(one: slice, other: slice) -> bool:
    return bool(other.start <= one.start and one.stop <= other.stop)


def _named(found: Alignment, evidence: EvidenceIndex, searched: tuple[slice, ...]) -> Iterator[Rival]:
    """Yield names of several words, taken as one, that stand where the evidence has another name."""
    theirs = evidence.runs
    inside = [run for run in theirs if any(_inside(run, place) for place in searched)]
    known: dict[tuple[str, ...], float | None] = {}
    for mine in found.runs:
        key = tuple(token.norm for token in found.row[max(0, mine.start - 2) : mine.stop + 2])
        if key not in known:  # a repeated name is looked for once
            known[key] = _own_name_fit(found, mine, evidence)
        own = known[key]
        for run in inside:
            fit = _around(found.row, mine, evidence.tokens, run)
            if fit >= _ONE_SIDE and fit > (own or 0.0) and not _shares(evidence, run, found.said):
                weight = (1.0 if own is None else _KNOWN) * min(1.0, fit - (own or 0.0))
                yield Rival(found.row[mine][0], evidence.tokens[run][0], "name", weight)


def _own_name_fit(found: Alignment, mine: slice, evidence: EvidenceIndex) -> float | None:
    """Return the best fit of a name's own places, None where the evidence has no word of it."""
    stems = {token.stem for token in found.row[mine]}
    sharing = dict.fromkeys(number for stem in stems for number in evidence.runs_by_stem.get(stem, ()))
    fits = (_around(found.row, mine, evidence.tokens, evidence.runs[number]) for number in sharing)
    return max(fits, default=None)


def _around(row: tuple[WordToken, ...], mine: slice, there: tuple[WordToken, ...], theirs: slice) -> float:
    """Return how well the frame of a run fits that of another."""
    fit = 0.0
    for step, share in _FRAME.items():
        at, place = _beside(mine, step), _beside(theirs, step)
        if 0 <= at < len(row) and 0 <= place < len(there) and row[at].stem == there[place].stem:
            fit += share * (1.0 if telling(row[at]) else _FUNCTION)
    return fit


def _beside(run: slice, step: int) -> int:
    """Return the place that is `step` tokens before or after a run."""
    return int(run.start) + step if step < 0 else int(run.stop) - 1 + step


def _shares(evidence: EvidenceIndex, run: slice, stems: AbstractSet[str]) -> bool:
    return not stems.isdisjoint(evidence.stems[run])


def _own_fit(token: WordToken, frame: _Frame, evidence: EvidenceIndex) -> float:
    """Return how well the best place of a word itself fits the word's frame, 0 where the evidence lacks it."""
    stems, places = evidence.stems, evidence.places.get(token.stem, ())
    best = 0.0
    if len(places) > _FEW:
        return _own_fit_of_many(frame, np.array(places), evidence)
    for place in places:
        fit = 0.0
        for step, stem, gain in frame:
            if 0 <= place + step < len(stems) and stems[place + step] == stem:
                fit += gain
        best = max(best, fit)
    return best


def _own_fit_of_many(frame: _Frame, places: NDArray[np.int64], evidence: EvidenceIndex) -> float:
    """Return the best fit of many places, computed for all of them at once."""
    fits = np.zeros(len(places))
    for step, stem, gain in frame:
        at = places + step
        inside = (at >= 0) & (at < len(evidence.words))
        fits += gain * (inside & (evidence.words[at * inside] == evidence.index.get(stem, -1)))
    return float(fits.max())


def _fits(frame: _Frame, places: dict[str, list[int]]) -> dict[int, float]:
    """Return for each place of the evidence how well it fits a frame."""
    fits: dict[int, float] = {}
    for step, stem, gain in frame:
        for place in places.get(stem, ()):
            fits[place - step] = fits.get(place - step, 0.0) + gain
    return fits


def _clash(  # noqa: PLR0917 - two places, each a row and an index
    found: Alignment,
    numbers: NumberRanges,
    i: int,
    there: NumberRanges,
    slot: int,
    fit: float,
    evidence: EvidenceIndex,
) -> tuple[Kind, float]:
    """Return the kind of conflict of two words in one place, and its strength: 0 without a conflict."""
    mine, theirs = found.row[i], there.row[slot]
    if theirs.stem in opposites(mine.stem):
        return "opposite", float(fit >= _ONE_SIDE)
    if theirs.stem in found.said or not (telling(mine) and telling(theirs)):
        return "word", 0.0
    if mine.number or theirs.number:
        return "number", float(mine.number and theirs.number and excluded(numbers, i, there, slot))
    names = is_name(mine, evidence) and is_name(theirs, evidence)
    if not names and fit < _BOTH_SIDES:
        return "word", 0.0
    near = max(float(word_vector(mine.norm)[0] @ word_vector(theirs.norm)[0]), 0.0)
    return "name" if names else "word", 1 - near


def _listed(row: tuple[WordToken, ...], places: list[int]) -> set[int]:
    """Return the places in the same list as `places`, since the entries of a list are not rivals of each other."""
    joined: set[int] = set()
    for place in places:
        for step in (-1, 1):
            at = place + step
            while 0 <= at < len(row) and abs(at - place) <= _LIST and _in_list(row[at]):
                if row[at if step > 0 else at + 1].first:
                    break
                joined.add(at)
                at += step
    return joined


def _in_list(token: WordToken) -> bool:
    return token.norm in {"and", "or"} or (token.capital and telling(token))
