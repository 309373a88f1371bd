"""Features of conflict: another word in place of one, a negation in only one of the texts, an opposite word."""

from itertools import pairwise

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.substitutes import find_substitutes
from ragstone.text.lexicon import is_negation, opposites
from ragstone.text.tokens import WordToken

_MIN_MATCH = 0.75
"""Match score from which the evidence counts as having a word."""
_COMPARISONS = frozenset(("more", "less", "fewer", "later", "earlier", "only", "just"))
"""Words directly after a negation that make it a comparison or an addition, not a denial."""
_MAX_BOUND_DISTANCE = 4
"""Number of tokens after a negation in which "more than" makes it a bound: "do not take more than one"."""
_MAX_DISTANCE = 4
"""Maximum distance in tokens between an opposite and the position of a neighbour of the word that it replaces."""
_NEGATION_SCOPE = (5, 2)
"""Number of tokens after and before a negation to which it applies."""


def conflict_features(alignment: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    """Return the features of conflict of one aligned sentence, each from 0 (none) to about 1."""
    strengths = dict.fromkeys(("number", "name", "word", "opposite"), 0.0)
    for substitute in find_substitutes(alignment, evidence):
        strengths[substitute.kind] = max(strengths[substitute.kind], substitute.strength)
    opposite_strength = max((strength for _, _, strength in opposite_words(alignment, evidence)), default=0.0)
    return {
        "number_conflict": strengths["number"],
        "name_conflict": strengths["name"],
        "negated_only_here": _negated_in_statement_only(alignment, evidence),
        "negated_only_there": _negated_in_evidence_only(alignment, evidence),
        "opposite": max(strengths["opposite"], opposite_strength),
    }


def opposite_words(alignment: Alignment, evidence: EvidenceIndex) -> list[tuple[WordToken, WordToken, float]]:
    """Return (statement word, evidence word, strength) for the words the evidence lacks but has an opposite of.

    The opposite must be close to the position of a neighbour of the word.
    """
    result: list[tuple[WordToken, WordToken, float]] = []
    match, positions = alignment.match.tolist(), alignment.positions.tolist()
    for i, token in enumerate(alignment.content_words):
        beside = [positions[j] for j in (i - 1, i + 1) if 0 <= j < len(positions) and match[j] >= _MIN_MATCH]
        if beside and match[i] < 1:
            stems = opposites(token.stem) - alignment.stems
            spans = ((max(0, at - _MAX_DISTANCE), at + _MAX_DISTANCE + 1) for at in beside)
            near = (
                other for start, end in spans for other in evidence.tokens[start:end] if other.stem in stems
            )
            if (evidence_word := next(near, None)) is not None:
                strength = float(1 - 0.5 * alignment.weights[i] / alignment.weights.sum())
                result.append((token, evidence_word, strength))
    return result


def _negated_in_statement_only(alignment: Alignment, evidence: EvidenceIndex) -> float:
    """Return the best match score of a word that the statement negates and the evidence never does, 0 without one."""
    columns = zip(
        alignment.content_words, alignment.match.tolist(), alignment.positions.tolist(), strict=True
    )
    found = {token.start: (match, position) for token, match, position in columns if match >= _MIN_MATCH}
    negated_words = _negated_words(alignment.tokens, set(found))
    if not negated_words:
        return 0.0
    window_stems = set(evidence.stems[alignment.best_window])
    stems_in_scope = {
        row[i].stem for row in _spans_read(alignment, evidence) for i in _positions_in_scope(row)
    }
    matches = [
        found[token.start][0]
        for token in negated_words
        if token.start in found
        and evidence.stems[found[token.start][1]] not in stems_in_scope
        and not opposites(token.stem) & window_stems
    ]
    return max(matches, default=0.0)


def _negated_in_evidence_only(alignment: Alignment, evidence: EvidenceIndex) -> float:
    """Return the best match score of a word that the evidence negates and the statement does not, 0 without one.

    Only negations in the closest sentences count, not "by rain is not insured" in the next sentence, and only of words
    that neither they nor the best window affirm.
    """
    sentences = (evidence.tokens[span] for span in alignment.closest_sentences)
    negated_stems = {token.stem for row in sentences for token in _negated_words(row)}
    if not negated_stems:
        return 0.0
    for row in _spans_read(alignment, evidence):
        in_scope = _positions_in_scope(row)
        negated_stems -= {token.stem for i, token in enumerate(row) if i not in in_scope}
    starts_in_scope = {alignment.tokens[i].start for i in _positions_in_scope(alignment.tokens)}
    columns = zip(
        alignment.content_words, alignment.match.tolist(), alignment.positions.tolist(), strict=True
    )
    matches = [
        match
        for token, match, position in columns
        if match >= _MIN_MATCH
        and evidence.stems[position] in negated_stems
        and token.start not in starts_in_scope
    ]
    return max(matches, default=0.0)


def _spans_read(alignment: Alignment, evidence: EvidenceIndex) -> list[tuple[WordToken, ...]]:
    return [evidence.tokens[span] for span in (alignment.best_window, *alignment.closest_sentences)]


def _negated_words(tokens: tuple[WordToken, ...], allowed_starts: set[int] | None = None) -> list[WordToken]:
    """Return the first content word after each negation (of those at allowed starts), else the one before it."""
    result: list[WordToken] = []
    for i in range(len(tokens)):
        if _is_negating(tokens, i):
            following = [
                t
                for t in tokens[i + 1 : i + 1 + _NEGATION_SCOPE[0]]
                if is_content_word(t) and not is_negation(t.norm)
            ]
            preceding = [t for t in tokens[max(0, i - 2) : i] if is_content_word(t)]
            candidates = [t for t in following if allowed_starts is None or t.start in allowed_starts]
            result += candidates[:1] or ([] if following else preceding[-1:])
    return result


def _positions_in_scope(tokens: tuple[WordToken, ...]) -> set[int]:
    """Return the positions in the scope of a negation, even of one that is part of a bound ("take no more than")."""
    positions: set[int] = set()
    for i, token in enumerate(tokens):
        if is_negation(token.norm):
            positions.update(
                range(max(0, i - _NEGATION_SCOPE[1]), min(len(tokens), i + _NEGATION_SCOPE[0] + 1))
            )
    return positions


def _is_negating(tokens: tuple[WordToken, ...], i: int) -> bool:
    """Whether a token negates what follows; "no more than", "not only" and "do not take more than" do not."""
    if not is_negation(tokens[i].norm) or (i + 1 < len(tokens) and tokens[i + 1].norm in _COMPARISONS):
        return False
    following = tokens[i + 1 : i + 2 + _MAX_BOUND_DISTANCE]
    pairs = pairwise(following)
    return not any(first.norm in _COMPARISONS and second.norm == "than" for first, second in pairs)
