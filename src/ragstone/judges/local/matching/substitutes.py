"""Substitutes: words of the evidence that stand where the statement has another word.

A word's frame is the two words on either side. A word of the evidence is a substitute where it fits that frame
better than any place of the word itself: "moved to Oslo in" against "moved to Rome in". Numbers replace
numbers, names replace names, opposites replace each other; any other word must fit the frame on both sides.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name
from ragstone.judges.local.matching.number_ranges import NumberRanges, exclude_each_other
from ragstone.judges.local.model.word_vectors import word_vector
from ragstone.judges.local.text.lexicon import OPPOSITES, opposites
from ragstone.judges.local.text.tokens import WordToken

ConflictKind = Literal["number", "name", "opposite", "word"]
_Frame = list[tuple[int, str, float]]
"""For each neighbour of a word: its offset, its stem, and the weight of a match."""

_FRAME = {-2: 0.5, -1: 1.0, 1: 1.0, 2: 0.5}
"""Offsets around a word, and the weight of a match there."""
_FUNCTION = 0.6
"""Weight of a match of a function word, relative to a match of a content word."""
_ONE_SIDE, _BOTH_SIDES = 0.9, 1.6
"""Fits that one neighbour can give, and that only neighbours on both sides can."""
_KNOWN = 0.75
"""Factor for the strength of a substitute if the evidence has the word itself too."""
_FEW = 32
"""Most places of a word that are compared one by one."""
_LIST = 8
"""Most tokens over which a list of names is followed."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Two words in one place.

    Attributes:
        statement_word: the statement's word.
        evidence_word: the evidence's.
        kind: the kind of their conflict.
        strength: how surely they exclude each other, 0 to 1.
    """

    statement_word: WordToken
    evidence_word: WordToken
    kind: ConflictKind
    strength: float


def find_substitutes(found: Alignment, evidence: EvidenceIndex) -> Iterator[Substitute]:
    """Yield the substitutes of an aligned sentence's words, in their order, then those of its longer names.

    The search covers the closest window, then the sentences that say nearly as much.
    """
    searched = (
        found.best_window,
        *(place for place in found.closest_sentences if not _inside(place, found.best_window)),
    )
    frames = _frames(found.tokens)
    fits: dict[tuple[str, tuple[tuple[int, str, float], ...]], float] = {}
    own: dict[int, float] = {}
    for i, frame in frames.items():
        key = found.tokens[i].stem, tuple(frame)  # a word that occurs a thousand times has few frames
        if key not in fits:
            fits[key] = _own_fit(found.tokens[i], frame, evidence)
        own[i] = fits[key]
    mine = NumberRanges(found.tokens)
    # No place fits a frame better than one that fits all of it.
    frames = {i: frame for i, frame in frames.items() if own[i] < sum(gain for _, _, gain in frame)}
    for place in searched:
        yield from _single(found, evidence, place, frames, own, mine)
    if found.name_spans:
        yield from _named(found, evidence, searched)


def _single(  # noqa: PLR0917 - what `find_substitutes` has prepared once for all places
    found: Alignment,
    evidence: EvidenceIndex,
    place: slice,
    frames: dict[int, _Frame],
    own: dict[int, float],
    numbers: NumberRanges,
) -> Iterator[Substitute]:
    here = evidence.tokens[place]
    theirs = NumberRanges(here)
    places: dict[str, list[int]] = {}
    for i, stem in enumerate(evidence.stems[place]):
        places.setdefault(stem, []).append(i)
    for i, frame in frames.items():
        mine = found.tokens[i]
        better = {
            slot: fit for slot, fit in _fits(frame, places).items() if fit > own[i] and 0 <= slot < len(here)
        }
        listed = _listed(here, places.get(mine.stem, [])) if better else set[int]()
        for slot, fit in better.items():
            if slot not in listed:
                kind, unlike = _clash(found, numbers, i, theirs, slot, fit, evidence)
                if unlike:
                    known = mine.stem in evidence.positions_by_stem and kind != "opposite"
                    weight = unlike * (_KNOWN if known else 1.0)
                    yield Substitute(mine, here[slot], kind, weight * min(1.0, fit - own[i]))


def _frames(row: tuple[WordToken, ...]) -> dict[int, _Frame]:
    """Return the frame of each token that may have a substitute."""
    gains = [1.0 if is_content_word(token) else _FUNCTION for token in row]
    return {
        i: [
            (step, row[i + step].stem, share * gains[i + step])
            for step, share in _FRAME.items()
            if 0 <= i + step < len(row)
        ]
        for i, token in enumerate(row)
        if is_content_word(token) or token.stem in OPPOSITES
    }


def _inside(one: slice, other: slice) -> bool:
    return bool(other.start <= one.start and one.stop <= other.stop)


def _named(found: Alignment, evidence: EvidenceIndex, searched: tuple[slice, ...]) -> Iterator[Substitute]:
    """Yield names of several words, taken as one, that stand where the evidence has another name."""
    theirs = evidence.name_spans
    inside = [run for run in theirs if any(_inside(run, place) for place in searched)]
    known: dict[tuple[str, ...], float | None] = {}
    for mine in found.name_spans:
        key = tuple(token.norm for token in found.tokens[max(0, mine.start - 2) : mine.stop + 2])
        if key not in known:  # a repeated name is looked for once
            known[key] = _own_name_fit(found, mine, evidence)
        own = known[key]
        for run in inside:
            fit = _around(found.tokens, mine, evidence.tokens, run)
            if fit >= _ONE_SIDE and fit > (own or 0.0) and not _shares(evidence, run, found.stems):
                weight = (1.0 if own is None else _KNOWN) * min(1.0, fit - (own or 0.0))
                yield Substitute(found.tokens[mine][0], evidence.tokens[run][0], "name", weight)


def _own_name_fit(found: Alignment, mine: slice, evidence: EvidenceIndex) -> float | None:
    """Return the best fit of a name's own places, None where the evidence has no word of it."""
    stems = {token.stem for token in found.tokens[mine]}
    sharing = dict.fromkeys(number for stem in stems for number in evidence.name_spans_by_stem.get(stem, ()))
    fits = (_around(found.tokens, mine, evidence.tokens, evidence.name_spans[number]) for number in sharing)
    return max(fits, default=None)


def _around(row: tuple[WordToken, ...], mine: slice, there: tuple[WordToken, ...], theirs: slice) -> float:
    """Return how well the frame of a run fits that of another."""
    fit = 0.0
    for step, share in _FRAME.items():
        at, place = _beside(mine, step), _beside(theirs, step)
        if 0 <= at < len(row) and 0 <= place < len(there) and row[at].stem == there[place].stem:
            fit += share * (1.0 if is_content_word(row[at]) else _FUNCTION)
    return fit


def _beside(run: slice, step: int) -> int:
    """Return the place that is `step` tokens before or after a run."""
    return int(run.start) + step if step < 0 else int(run.stop) - 1 + step


def _shares(evidence: EvidenceIndex, run: slice, stems: AbstractSet[str]) -> bool:
    return not stems.isdisjoint(evidence.stems[run])


def _own_fit(token: WordToken, frame: _Frame, evidence: EvidenceIndex) -> float:
    """Return how well the best place of a word itself fits the word's frame, 0 where the evidence lacks it."""
    stems, places = evidence.stems, evidence.positions_by_stem.get(token.stem, ())
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
        inside = (at >= 0) & (at < len(evidence.stem_ids))
        fits += gain * (inside & (evidence.stem_ids[at * inside] == evidence.id_by_stem.get(stem, -1)))
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
) -> tuple[ConflictKind, float]:
    """Return the kind of conflict of two words in one place, and its strength: 0 without a conflict."""
    mine, theirs = found.tokens[i], there.row[slot]
    if theirs.stem in opposites(mine.stem):
        return "opposite", float(fit >= _ONE_SIDE)
    if theirs.stem in found.stems or not (is_content_word(mine) and is_content_word(theirs)):
        return "word", 0.0
    if mine.is_number or theirs.is_number:
        return "number", float(
            mine.is_number and theirs.is_number and exclude_each_other(numbers, i, there, slot)
        )
    names = is_name(mine, evidence) and is_name(theirs, evidence)
    if not names and fit < _BOTH_SIDES:
        return "word", 0.0
    near = max(float(word_vector(mine.norm)[0] @ word_vector(theirs.norm)[0]), 0.0)
    return "name" if names else "word", 1 - near


def _listed(row: tuple[WordToken, ...], places: list[int]) -> set[int]:
    """Return the places in the same list as `places`, since entries of one list do not replace each other."""
    joined: set[int] = set()
    for place in places:
        for step in (-1, 1):
            at = place + step
            while 0 <= at < len(row) and abs(at - place) <= _LIST and _in_list(row[at]):
                if row[at if step > 0 else at + 1].starts_sentence:
                    break
                joined.add(at)
                at += step
    return joined


def _in_list(token: WordToken) -> bool:
    return token.norm in {"and", "or"} or (token.is_capitalised and is_content_word(token))
