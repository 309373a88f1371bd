"""Substitutes: words of the evidence in a position where the statement has another word.

A word's context is the two words on either side. A word of the evidence is a substitute if it fits that context better
than any occurrence of the word itself does: "moved to Oslo in" against "moved to Rome in". Numbers replace numbers,
names replace names, opposites replace each other; any other word must fit the context on both sides.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name
from ragstone.judges.local.matching.number_ranges import NumberRanges, exclude_each_other
from ragstone.judges.local.model.word_vectors import word_vector
from ragstone.text.lexicon import OPPOSITES, opposites
from ragstone.text.tokens import WordToken

ConflictKind = Literal["number", "name", "opposite", "word"]
_Context = list[tuple[int, str, float]]
"""For each neighbour of a word: its offset, its stem, and the weight of a match."""

_CONTEXT_WEIGHTS = {-2: 0.5, -1: 1.0, 1: 1.0, 2: 0.5}
"""Offsets around a word, and the weight of a match there."""
_FUNCTION_WORD_WEIGHT = 0.6
"""Weight of a match of a function word, relative to a match of a content word."""
_FIT_ONE_SIDE, _FIT_BOTH_SIDES = 0.9, 1.6
"""Minimum fit that one side of a context can reach, and that only both sides together can."""
_KNOWN_WORD_FACTOR = 0.75
"""Factor for the strength of a substitute if the evidence has the statement's word too."""
_MAX_LOOPED_POSITIONS = 32
"""Maximum number of positions of a word that are compared in a Python loop; more are compared with NumPy."""
_MAX_LIST_TOKENS = 8
"""Maximum number of tokens over which a list of names is followed."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Two different words in the same context, the kind of their conflict, and its strength, 0 to 1."""

    statement_word: WordToken
    evidence_word: WordToken
    kind: ConflictKind
    strength: float


def find_substitutes(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[Substitute]:
    """Yield the substitutes of an aligned sentence's words, in their order, then those of its names of several words.

    The search covers the best window, then the other closest sentences.
    """
    window = alignment.best_window
    spans = (window, *(span for span in alignment.closest_sentences if not _is_within(span, window)))
    fit_cache: dict[tuple[str, tuple[tuple[int, str, float], ...]], float] = {}
    contexts: dict[int, tuple[_Context, float]] = {}
    for i, context in _contexts(alignment.tokens).items():
        key = alignment.tokens[i].stem, tuple(context)  # a word that occurs a thousand times has few contexts
        if key not in fit_cache:
            fit_cache[key] = _own_fit(alignment.tokens[i], context, evidence)
        if fit_cache[key] < sum(weight for _, _, weight in context):  # else no position fits it better
            contexts[i] = context, fit_cache[key]
    statement_ranges = NumberRanges(alignment.tokens)
    for span in spans:
        yield from _word_substitutes(alignment, evidence, span, contexts, statement_ranges)
    if alignment.name_spans:
        yield from _name_substitutes(alignment, evidence, spans)


def _word_substitutes(
    alignment: Alignment,
    evidence: EvidenceIndex,
    span: slice,
    contexts: dict[int, tuple[_Context, float]],
    statement_ranges: NumberRanges,
) -> Iterator[Substitute]:
    tokens = evidence.tokens[span]
    evidence_ranges = NumberRanges(tokens)
    positions: dict[str, list[int]] = {}
    for i, stem in enumerate(evidence.stems[span]):
        positions.setdefault(stem, []).append(i)
    for i, (context, own_fit) in contexts.items():
        word = alignment.tokens[i]
        fits = _fits(context, positions).items()
        better_fits = {j: fit for j, fit in fits if fit > own_fit and 0 <= j < len(tokens)}
        listed = _list_positions(tokens, positions.get(word.stem, [])) if better_fits else set[int]()
        for j, fit in better_fits.items():
            if j not in listed:
                kind, strength = _conflict(alignment, statement_ranges, i, evidence_ranges, j, fit, evidence)
                if strength:
                    in_evidence = word.stem in evidence.positions_by_stem and kind != "opposite"
                    max_strength = strength * (_KNOWN_WORD_FACTOR if in_evidence else 1.0)
                    yield Substitute(word, tokens[j], kind, max_strength * min(1.0, fit - own_fit))


def _contexts(tokens: tuple[WordToken, ...]) -> dict[int, _Context]:
    token_weights = [1.0 if is_content_word(token) else _FUNCTION_WORD_WEIGHT for token in tokens]
    return {
        i: [
            (offset, tokens[i + offset].stem, offset_weight * token_weights[i + offset])
            for offset, offset_weight in _CONTEXT_WEIGHTS.items()
            if 0 <= i + offset < len(tokens)
        ]
        for i, token in enumerate(tokens)
        if is_content_word(token) or token.stem in OPPOSITES
    }


def _is_within(inner: slice, outer: slice) -> bool:
    return bool(outer.start <= inner.start and inner.stop <= outer.stop)


def _name_substitutes(
    alignment: Alignment, evidence: EvidenceIndex, spans: tuple[slice, ...]
) -> Iterator[Substitute]:
    candidates = [name for name in evidence.name_spans if any(_is_within(name, span) for span in spans)]
    fit_cache: dict[tuple[str, ...], float | None] = {}
    for statement_name in alignment.name_spans:
        start, end = max(0, statement_name.start - 2), statement_name.stop + 2
        key = tuple(token.norm for token in alignment.tokens[start:end])
        if key not in fit_cache:  # a repeated name is searched for once
            fit_cache[key] = _own_name_fit(alignment, statement_name, evidence)
        own_fit = fit_cache[key]
        for evidence_name in candidates:
            fit = _context_fit(alignment.tokens, statement_name, evidence.tokens, evidence_name)
            is_other = alignment.stems.isdisjoint(evidence.stems[evidence_name])
            if fit >= _FIT_ONE_SIDE and fit > (own_fit or 0.0) and is_other:
                strength = (1.0 if own_fit is None else _KNOWN_WORD_FACTOR) * min(1.0, fit - (own_fit or 0.0))
                words = alignment.tokens[statement_name][0], evidence.tokens[evidence_name][0]
                yield Substitute(*words, "name", strength)


def _own_name_fit(alignment: Alignment, name: slice, evidence: EvidenceIndex) -> float | None:
    """Return the best fit of the evidence names that share a word with a name, None where there is none."""
    stems = {token.stem for token in alignment.tokens[name]}
    ids = {span_id for stem in stems for span_id in evidence.name_spans_by_stem.get(stem, ())}
    spans = (evidence.name_spans[span_id] for span_id in ids)
    return max((_context_fit(alignment.tokens, name, evidence.tokens, span) for span in spans), default=None)


def _context_fit(
    statement_tokens: tuple[WordToken, ...],
    statement_span: slice,
    evidence_tokens: tuple[WordToken, ...],
    evidence_span: slice,
) -> float:
    fit = 0.0
    for offset, weight in _CONTEXT_WEIGHTS.items():
        i, j = _position_beside(statement_span, offset), _position_beside(evidence_span, offset)
        if (
            0 <= i < len(statement_tokens)
            and 0 <= j < len(evidence_tokens)
            and statement_tokens[i].stem == evidence_tokens[j].stem
        ):
            fit += weight * (1.0 if is_content_word(statement_tokens[i]) else _FUNCTION_WORD_WEIGHT)
    return fit


def _position_beside(span: slice, offset: int) -> int:
    return int(span.start) + offset if offset < 0 else int(span.stop) - 1 + offset


def _own_fit(token: WordToken, context: _Context, evidence: EvidenceIndex) -> float:
    """Return how well the best occurrence of a word itself fits its context, 0 where the evidence lacks it."""
    stems, positions = evidence.stems, evidence.positions_by_stem.get(token.stem, ())
    best_fit = 0.0
    if len(positions) > _MAX_LOOPED_POSITIONS:
        return _own_fit_vectorised(context, np.array(positions), evidence)
    for position in positions:
        fit = 0.0
        for offset, stem, weight in context:
            if 0 <= position + offset < len(stems) and stems[position + offset] == stem:
                fit += weight
        best_fit = max(best_fit, fit)
    return best_fit


def _own_fit_vectorised(context: _Context, positions: NDArray[np.int64], evidence: EvidenceIndex) -> float:
    fits = np.zeros(len(positions))
    for offset, stem, weight in context:
        neighbours = positions + offset
        valid = (neighbours >= 0) & (neighbours < len(evidence.stem_ids))
        same = evidence.stem_ids[neighbours * valid] == evidence.id_by_stem.get(stem, -1)
        fits += weight * (valid & same)
    return float(fits.max())


def _fits(context: _Context, positions_by_stem: dict[str, list[int]]) -> dict[int, float]:
    fits: dict[int, float] = {}
    for offset, stem, weight in context:
        for position in positions_by_stem.get(stem, ()):
            fits[position - offset] = fits.get(position - offset, 0.0) + weight
    return fits


def _conflict(  # noqa: PLR0917 - two positions, each with its list of tokens
    alignment: Alignment,
    statement_ranges: NumberRanges,
    i: int,
    evidence_ranges: NumberRanges,
    j: int,
    fit: float,
    evidence: EvidenceIndex,
) -> tuple[ConflictKind, float]:
    """Return the kind of conflict of two words in the same context, and its strength: 0 without a conflict."""
    word, other = alignment.tokens[i], evidence_ranges.tokens[j]
    if other.stem in opposites(word.stem):
        return "opposite", float(fit >= _FIT_ONE_SIDE)
    if other.stem in alignment.stems or not (is_content_word(word) and is_content_word(other)):
        return "word", 0.0
    if word.is_number or other.is_number:
        both = word.is_number and other.is_number
        return "number", float(both and exclude_each_other(statement_ranges, i, evidence_ranges, j))
    both_names = is_name(word, evidence) and is_name(other, evidence)
    if not both_names and fit < _FIT_BOTH_SIDES:
        return "word", 0.0
    similarity = max(float(word_vector(word.norm)[0] @ word_vector(other.norm)[0]), 0.0)
    return "name" if both_names else "word", 1 - similarity


def _list_positions(tokens: tuple[WordToken, ...], positions: list[int]) -> set[int]:
    """Return the positions in the same list as `positions`, since entries of one list do not replace each other."""
    list_positions: set[int] = set()
    for position in positions:
        for step in (-1, 1):
            for i in range(position + step, position + step * (_MAX_LIST_TOKENS + 1), step):
                if not 0 <= i < len(tokens) or not _is_list_token(tokens[i]):
                    break
                if tokens[i if step > 0 else i + 1].starts_sentence:
                    break
                list_positions.add(i)
    return list_positions


def _is_list_token(token: WordToken) -> bool:
    return token.norm in {"and", "or"} or (token.is_capitalised and is_content_word(token))
