"""Roles: two names exchanged around the same word, and another subject before the same words."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.model.word_vectors import word_vector
from ragstone.judges.local.text.stemmer import stem
from ragstone.judges.local.text.tokens import WordToken

SYMMETRIC_WORDS = frozenset(map(stem, (
    "married", "marry", "met", "meets", "merged", "merges", "equals", "borders", "bordered", "resembles", "adjoins",
    "faces", "fought", "played", "plays", "talked", "shares", "shared", "touches", "between", "accompanied", "drew",
)))  # fmt: skip
"""Symmetric words: the names on their two sides may be exchanged."""
_JOINING = frozenset(("and", "or", "nor", "as", "like", "with"))
_FOUND, _ALIKE = 0.75, 0.55
_LONGEST = 60
"""Most tokens of a sentence; a longer one is a list or a menu."""
_REST = 2
"""Fewest content words besides its subject that a statement needs to be about the same thing."""


class _Phrase(NamedTuple):
    """A content word, or a name of several words taken as one."""

    first: WordToken
    stems: frozenset[str]
    start: int
    end: int


class _Act(NamedTuple):
    """An act with its agent and its patient."""

    agent: _Phrase
    act: _Phrase
    patient: _Phrase


def exchanged_roles(found: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield agent and patient of the statement where the evidence has them only the other way round."""
    mine = list(_acts(found.tokens))
    if not mine:
        return
    near = [
        evidence.tokens[place] for place in found.closest_sentences if place.stop - place.start <= _LONGEST
    ]
    theirs = [act for row in near for act in _acts(row)]
    for own in mine:
        same = [other for other in theirs if own.act.stems & other.act.stems]
        turned = any(_meet(own.agent, other.patient) and _meet(own.patient, other.agent) for other in same)
        if turned and not any(_meet(own.agent, other.agent) for other in same):
            yield own.agent.first, own.patient.first


def _meet(one: _Phrase, other: _Phrase) -> bool:
    return not one.stems.isdisjoint(other.stems)


def _acts(row: Sequence[WordToken]) -> Iterator[_Act]:
    """Yield each pair of names with one content word between them, in the active voice; lists are skipped."""
    parts = list(_parts(row))
    for one, act, other in zip(parts, parts[1:], parts[2:], strict=False):
        between = (*row[one.end : act.start], *row[act.end : other.start])
        listed = any(token.norm in _JOINING for token in between)
        apart = any(b.start - a.end > 1 for a, b in pairwise(row[one.end - 1 : other.start + 1]))
        named = (
            one.first.is_capitalised
            and other.first.is_capitalised
            and not (act.first.is_capitalised or act.first.is_number)
        )
        if not named or listed or apart or act.stems & SYMMETRIC_WORDS or one.stems & other.stems:
            continue
        passive = any(token.norm == "by" for token in row[act.end : other.start])
        yield _Act(other, act, one) if passive else _Act(one, act, other)


def _parts(row: Sequence[WordToken]) -> Iterator[_Phrase]:
    at = 0
    while at < len(row):
        end = at + 1
        if row[at].is_capitalised and is_content_word(row[at]):
            while (
                end < len(row)
                and row[end].is_capitalised
                and is_content_word(row[end])
                and row[end].start - row[end - 1].end == 1
            ):
                end += 1
        if is_content_word(row[at]):
            stems = frozenset(token.stem for token in row[at:end])
            yield _Phrase(row[at], stems, at, end)
        at = end


def replaced_subject(found: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the statement's first word and the other subject that the evidence has before the same words.

    "Sydney is the capital of Australia" beside "Canberra is the capital city of Australia".
    """
    mine, *rest = found.tokens
    if (
        not (rest and mine.is_capitalised and is_content_word(mine))
        or is_content_word(rest[0])
        or mine.stem in evidence.positions_by_stem
    ):
        return
    others = {
        t.start: float(m)
        for t, m in zip(found.content_words, found.match, strict=True)
        if t.start != mine.start
    }
    if len(others) < _REST or min(others.values()) < _FOUND:
        return
    for place in found.closest_sentences:
        theirs, *following = evidence.tokens[place]
        known = {token.stem for token in following}
        if (
            following
            and following[0].stem == rest[0].stem
            and theirs.is_capitalised
            and is_content_word(theirs)
            and theirs.stem not in found.stems
            and all(token.stem in known for token in rest if is_content_word(token))
            and float(word_vector(mine.norm)[0] @ word_vector(theirs.norm)[0]) < _ALIKE
        ):
            yield mine, theirs
