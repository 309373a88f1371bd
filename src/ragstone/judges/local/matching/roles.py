"""Roles: two names exchanged around the same predicate, and another subject before the same words."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.model.word_vectors import word_vector
from ragstone.text.stemmer import stem
from ragstone.text.tokens import WordToken

SYMMETRIC_WORDS = frozenset(map(stem, (
    "married", "marry", "met", "meets", "merged", "merges", "equals", "borders", "bordered", "resembles", "adjoins",
    "faces", "fought", "played", "plays", "talked", "shares", "shared", "touches", "between", "accompanied", "drew",
)))  # fmt: skip
"""Symmetric words: the names on their two sides may be exchanged."""
_LIST_WORDS = frozenset(("and", "or", "nor", "as", "like", "with"))
_MIN_MATCH, _MAX_SIMILARITY = 0.75, 0.55
_MAX_TOKENS = 60
"""Maximum number of tokens of a sentence; a longer one is a list or a menu."""
_MIN_OTHER_WORDS = 2
"""Minimum number of content words besides its subject that a statement needs to be about the same thing."""


class _Phrase(NamedTuple):
    """A content word, or a name of several words taken as one."""

    first: WordToken
    stems: frozenset[str]
    start: int
    end: int


class _Relation(NamedTuple):
    """A predicate with its agent and its patient."""

    agent: _Phrase
    predicate: _Phrase
    patient: _Phrase


def exchanged_roles(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield agent and patient of each relation of the statement that the evidence has only the other way round."""
    statement_relations = list(_relations(alignment.tokens))
    if not statement_relations:
        return
    sentences = [
        evidence.tokens[span] for span in alignment.closest_sentences if span.stop - span.start <= _MAX_TOKENS
    ]
    evidence_relations = [relation for tokens in sentences for relation in _relations(tokens)]
    for relation in statement_relations:
        same_predicate = [
            other for other in evidence_relations if relation.predicate.stems & other.predicate.stems
        ]
        exchanged = any(
            _share_stem(relation.agent, other.patient) and _share_stem(relation.patient, other.agent)
            for other in same_predicate
        )
        if exchanged and not any(_share_stem(relation.agent, other.agent) for other in same_predicate):
            yield relation.agent.first, relation.patient.first


def _share_stem(first: _Phrase, second: _Phrase) -> bool:
    return not first.stems.isdisjoint(second.stems)


def _relations(tokens: Sequence[WordToken]) -> Iterator[_Relation]:
    """Yield a relation for each two names with one content word between them; passives are reversed, lists skipped."""
    phrases = list(_phrases(tokens))
    for left, predicate, right in zip(phrases, phrases[1:], phrases[2:], strict=False):
        between = (*tokens[left.end : predicate.start], *tokens[predicate.end : right.start])
        is_list = any(token.norm in _LIST_WORDS for token in between)
        separated = any(b.start - a.end > 1 for a, b in pairwise(tokens[left.end - 1 : right.start + 1]))
        between_names = (
            left.first.is_capitalised
            and right.first.is_capitalised
            and not (predicate.first.is_capitalised or predicate.first.is_number)
        )
        if (
            not between_names
            or is_list
            or separated
            or predicate.stems & SYMMETRIC_WORDS
            or left.stems & right.stems
        ):
            continue
        passive = any(token.norm == "by" for token in tokens[predicate.end : right.start])
        yield _Relation(right, predicate, left) if passive else _Relation(left, predicate, right)


def _phrases(tokens: Sequence[WordToken]) -> Iterator[_Phrase]:
    start = 0
    while start < len(tokens):
        end = start + 1
        if tokens[start].is_capitalised and is_content_word(tokens[start]):
            while (
                end < len(tokens)
                and tokens[end].is_capitalised
                and is_content_word(tokens[end])
                and tokens[end].start - tokens[end - 1].end == 1
            ):
                end += 1
        if is_content_word(tokens[start]):
            stems = frozenset(token.stem for token in tokens[start:end])
            yield _Phrase(tokens[start], stems, start, end)
        start = end


def replaced_subject(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the statement's first word and the other subject that the evidence has before the same words.

    "Sydney is the capital of Australia" beside "Canberra is the capital city of Australia".
    """
    subject, *rest = alignment.tokens
    if (
        not (rest and subject.is_capitalised and is_content_word(subject))
        or is_content_word(rest[0])
        or subject.stem in evidence.positions_by_stem
    ):
        return
    other_matches = {
        t.start: float(m)
        for t, m in zip(alignment.content_words, alignment.match, strict=True)
        if t.start != subject.start
    }
    if len(other_matches) < _MIN_OTHER_WORDS or min(other_matches.values()) < _MIN_MATCH:
        return
    for span in alignment.closest_sentences:
        other_subject, *following = evidence.tokens[span]
        following_stems = {token.stem for token in following}
        if (
            following
            and following[0].stem == rest[0].stem
            and other_subject.is_capitalised
            and is_content_word(other_subject)
            and other_subject.stem not in alignment.stems
            and all(token.stem in following_stems for token in rest if is_content_word(token))
            and float(word_vector(subject.norm)[0] @ word_vector(other_subject.norm)[0]) < _MAX_SIMILARITY
        ):
            yield subject, other_subject
