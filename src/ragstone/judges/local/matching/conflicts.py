"""Features of conflict: another word in place of one, a negation in only one of the texts, an opposite word."""

from itertools import pairwise

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.substitutes import ConflictKind, find_substitutes
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
    strengths: dict[ConflictKind, float] = {"number": 0.0, "name": 0.0, "word": 0.0, "opposite": 0.0}
    for substitute in find_substitutes(alignment, evidence):
        strengths[substitute.kind] = max(strengths[substitute.kind], substitute.strength)
    opposite_strength = max((strength for _, _, strength in opposite_words(alignment, evidence)), default=0.0)
    return {
        "number_conflict": strengths["number"],
        "name_conflict": strengths["name"],
        "word_conflict": strengths["word"],
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
        neighbour_positions = [
            positions[j] for j in (i - 1, i + 1) if 0 <= j < len(positions) and match[j] >= _MIN_MATCH
        ]
        if neighbour_positions and match[i] < 1:
            evidence_word = _find_nearby(
                opposites(token.stem) - alignment.stems, neighbour_positions, evidence
            )
            if evidence_word is not None:
                result.append(
                    (token, evidence_word, float(1 - 0.5 * alignment.weights[i] / alignment.weights.sum()))
                )
    return result


def _find_nearby(stems: frozenset[str], positions: list[int], evidence: EvidenceIndex) -> WordToken | None:
    """Return a token with one of the stems close to one of the positions, or None."""
    for position in positions:
        for i in range(
            max(0, position - _MAX_DISTANCE), min(len(evidence.stems), position + _MAX_DISTANCE + 1)
        ):
            if evidence.stems[i] in stems:
                return evidence.tokens[i]
    return None


def _negated_in_statement_only(alignment: Alignment, evidence: EvidenceIndex) -> float:
    """Return the best match score of a word that the statement negates and the evidence never does, 0 without one."""
    match_by_start = {
        t.start: float(m)
        for t, m in zip(alignment.content_words, alignment.match, strict=True)
        if m >= _MIN_MATCH
    }
    negated_words = _negated_words(alignment.tokens, set(match_by_start))
    if not negated_words:
        return 0.0
    window_stems = set(evidence.stems[alignment.best_window])
    token_rows = (evidence.tokens[span] for span in (alignment.best_window, *alignment.closest_sentences))
    stems_in_scope = {
        span_tokens[i].stem for span_tokens in token_rows for i in _positions_in_scope(span_tokens)
    }
    aligned_stems = {
        t.start: evidence.stems[int(p)]
        for t, p in zip(alignment.content_words, alignment.positions, strict=True)
    }
    return max(
        (
            match_by_start[token.start]
            for token in negated_words
            if token.start in match_by_start
            and aligned_stems[token.start] not in stems_in_scope
            and not opposites(token.stem) & window_stems
        ),
        default=0.0,
    )


def _negated_in_evidence_only(alignment: Alignment, evidence: EvidenceIndex) -> float:
    """Return the best match score of a word that the evidence negates and the statement does not, 0 without one.

    Only negations in the closest sentences count, not "by rain is not insured" in the next sentence.
    """
    negated_stems = _negated_stems(alignment, evidence)
    if not negated_stems:
        return 0.0
    starts_in_scope = {alignment.tokens[i].start for i in _positions_in_scope(alignment.tokens)}
    return max(
        (
            float(match)
            for token, match, position in zip(
                alignment.content_words, alignment.match, alignment.positions, strict=True
            )
            if match >= _MIN_MATCH
            and evidence.stems[int(position)] in negated_stems
            and token.start not in starts_in_scope
        ),
        default=0.0,
    )


def _negated_stems(alignment: Alignment, evidence: EvidenceIndex) -> set[str]:
    """Return the stems that the closest sentences negate, and that neither they nor the best window affirm."""
    negated: set[str] = set()
    for sentence in alignment.closest_sentences:
        negated |= {token.stem for token in _negated_words(evidence.tokens[sentence])}
    return negated - _affirmed_stems(alignment, evidence) if negated else negated


def _affirmed_stems(alignment: Alignment, evidence: EvidenceIndex) -> set[str]:
    stems: set[str] = set()
    for span in (alignment.best_window, *alignment.closest_sentences):
        span_tokens = evidence.tokens[span]
        in_scope = _positions_in_scope(span_tokens)
        stems |= {token.stem for i, token in enumerate(span_tokens) if i not in in_scope}
    return stems


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
