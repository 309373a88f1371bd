"""Questions that the passages do not answer: a wrong premise, and an attribute that nothing says of a subject."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.questions.numbers import wrong_value
from ragstone.drafts.questions.single import key_of_fact
from ragstone.drafts.questions.wording import ask_fact, ask_why, deny

_NAMED = frozenset({"attribute", "cell"})
_MOST_SWAPS = 2
_MOST_TRIED = 40
"""Subjects that are tried for each fact: the work stays linear in the facts."""


def ask_false_premise(languages: Sequence[str], facts: Sequence[Fact]) -> Iterator[DraftCandidate]:
    """Yield questions that take a wrong number for granted; the expected output corrects it."""
    values: defaultdict[object, set[str]] = defaultdict(set)
    for fact in facts:
        values[key_of_fact(fact)].add(fact.value.casefold())
    for fact in facts:
        language, wrong = languages[fact.passage], wrong_value(fact.value)
        if fact.form in _NAMED and wrong is not None and len(values[key_of_fact(fact)]) == 1:
            question = ask_why(fact, wrong, language)
            if question:
                evidence = (EvidenceSpan(fact.passage, *fact.span),)
                answer = deny(fact, wrong, language)
                yield DraftCandidate(
                    "false_premise", question, answer, evidence, language, "rules:wrong_number", (fact,)
                )


def ask_swapped(languages: Sequence[str], facts: Sequence[Fact]) -> Iterator[DraftCandidate]:
    """Yield questions for an attribute that its kind of subject has, about a subject of which it is not stated.

    Subjects are of one kind if some attribute is stated of both. Whether another passage answers is checked later.
    """
    named = [fact for fact in facts if fact.form in _NAMED]
    attributes: defaultdict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    subjects: defaultdict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], Fact]] = defaultdict(dict)
    for fact in named:
        attributes[fact.subject_key].add(fact.attribute_key)
        subjects[languages[fact.passage], fact.attribute_key].setdefault(fact.subject_key, fact)
    for fact in named:
        language, found = languages[fact.passage], 0
        for shared in sorted(attributes[fact.subject_key]):
            for other in _some(subjects[language, shared], fact.subject_key):
                if fact.attribute_key in attributes[other.subject_key] or other.noun != fact.noun:
                    continue
                swapped = replace(fact, subject=other.subject, noun=other.noun)
                question = ask_fact(swapped, language)
                if question and found < _MOST_SWAPS:
                    found += 1
                    evidence = (EvidenceSpan(other.passage, *other.span),)
                    yield DraftCandidate(
                        "unanswerable", question, "", evidence, language, "rules:swap", (swapped,)
                    )
            if found >= _MOST_SWAPS:
                break


def _some(subjects: dict[tuple[str, ...], Fact], key: tuple[str, ...]) -> list[Fact]:
    """Return a bounded number of subjects, those that follow the given one."""
    found = list(subjects.values())
    begin = (
        next((place for place, one in enumerate(subjects) if one == key), 0)
        if len(found) < _MOST_TRIED
        else 0
    )
    if len(found) >= _MOST_TRIED:
        begin = sum(map(len, key)) * 7919 % len(found)
    return (found[begin:] + found[:begin])[:_MOST_TRIED]
