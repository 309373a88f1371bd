"""Questions that no passage answers: with a wrong premise, about a missing attribute, or about an invented name."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import TypeVar
from zlib import crc32

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.questions.known import NAMED, KnownFacts
from ragstone.drafts.questions.numbers import wrong_value
from ragstone.drafts.questions.single import evidence_of
from ragstone.drafts.questions.wording import ask_fact, ask_why, deny

T = TypeVar("T")

_MAX_SWAPS_PER_FACT = 2
_MAX_TRIED_SUBJECTS = 40
"""Most subjects to try for each fact and attribute, so that the run time stays linear in the number of facts."""

_WORD = re.compile(r"[^\W_]+")
_TWO_PART_NAME = re.compile(r"`(?P<begin>(?:--)?[a-z]+[_-])(?P<end>[a-z]{3,})`")


def ask_false_premise(known: KnownFacts) -> Iterator[DraftCandidate]:
    """Yield questions that assume a wrong number; the expected output corrects it."""
    for fact in known.facts:
        language, wrong = known.language(fact), wrong_value(fact.value)
        if fact.form in NAMED and wrong is not None and known.is_single(fact):
            question = ask_why(fact, wrong, language)
            if question:
                answer = deny(fact, wrong, language)
                evidence = (evidence_of(fact),)
                yield DraftCandidate(
                    "false_premise", question, answer, evidence, language, "rules:wrong_number", (fact,)
                )


def ask_swapped(known: KnownFacts) -> Iterator[DraftCandidate]:
    """Yield questions about an attribute that is stated for similar subjects, but not for the subject of the question.

    Subjects are similar if they have the same noun and an attribute in common. The check `complete` decides later
    whether another passage answers.
    """
    named = [fact for fact in known.facts if fact.form in NAMED]
    attributes: defaultdict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    subjects: defaultdict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], Fact]] = defaultdict(dict)
    for fact in named:
        attributes[fact.subject_key].add(fact.attribute_key)
        subjects[known.language(fact), fact.attribute_key].setdefault(fact.subject_key, fact)
    subject_lists = {key: [*by_subject.items()] for key, by_subject in subjects.items()}

    def swaps(fact: Fact) -> Iterator[DraftCandidate]:
        language, subject_key, attribute_key = known.language(fact), fact.subject_key, fact.attribute_key
        for shared in sorted(attributes[subject_key]):
            for key, other in _bounded_sample(subject_lists.get((language, shared), ()), subject_key):
                if attribute_key not in attributes[key] and other.noun == fact.noun:
                    swapped = replace(fact, subject=other.subject)
                    question = ask_fact(swapped, language, known.scope(other) or "")
                    if question:
                        yield _unanswerable(question, swapped, other, language, "swap")

    for fact in named:
        yield from islice(swaps(fact), _MAX_SWAPS_PER_FACT)


def ask_invented(known: KnownFacts, texts: Sequence[str]) -> Iterator[DraftCandidate]:
    """Yield questions about invented names, made from the beginning of one name and the end of another of its kind.

    Args:
        known: all facts.
        texts: the texts of all passages, in which an invented name must not occur.
    """
    matches = [(fact, _TWO_PART_NAME.fullmatch(fact.subject)) for fact in known.facts if fact.noun]
    compound = [(fact, match) for fact, match in matches if match]
    ends: defaultdict[tuple[str, str, str], dict[str, None]] = defaultdict(dict)
    for fact, match in compound:
        ends[_name_kind(fact)][match["end"]] = None
    adjacent_words = _word_pairs(texts, {match["end"] for _, match in compound})
    for fact, match in compound:
        others = [end for end in ends[_name_kind(fact)] if end not in fact.subject]
        begin = sum(map(ord, fact.subject)) % max(len(others), 1)
        for end in (others[begin:] + others[:begin])[:_MAX_SWAPS_PER_FACT]:
            swapped = replace(fact, subject=f"`{match['begin']}{end}`")
            question = ask_fact(swapped, known.language(fact))
            if question and (match["begin"].strip("-_"), end) not in adjacent_words:
                yield _unanswerable(question, swapped, fact, known.language(fact), "invented_name")


def _word_pairs(texts: Sequence[str], second_words: set[str]) -> set[tuple[str, str]]:
    """Return the pairs of adjacent words of the texts, with any separator, whose second word is in `second_words`."""
    pairs: set[tuple[str, str]] = set()
    for text in texts if second_words else ():
        pairs.update(pair for pair in pairwise(_WORD.findall(text.casefold())) if pair[1] in second_words)
    return pairs


def _unanswerable(question: str, asked: Fact, source: Fact, language: str, method: str) -> DraftCandidate:
    """Return a candidate about the fact `asked`, with the statement of the fact `source` as evidence."""
    return DraftCandidate(
        "unanswerable", question, "", (evidence_of(source),), language, f"rules:{method}", (asked,)
    )


def _name_kind(fact: Fact) -> tuple[str, str, str]:
    return fact.noun, fact.form, fact.attribute


def _bounded_sample(subjects: Sequence[T], key: tuple[str, ...]) -> Iterator[T]:
    """Yield a bounded number of subjects, from a start that depends on the key."""
    start = crc32(" ".join(key).encode("utf-8", "surrogatepass"))
    for number in range(min(len(subjects), _MAX_TRIED_SUBJECTS)):
        yield subjects[(start + number) % len(subjects)]
