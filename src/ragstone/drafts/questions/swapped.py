"""Questions that no passage answers: an attribute that is stated for similar subjects, but not for this one."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar
from zlib import crc32

from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.facts.fact import Fact

T = TypeVar("T")

_NAMED = frozenset({"attribute", "cell"})
_MAX_SWAPS_PER_FACT = 2
_MAX_TRIED_SUBJECTS = 40
"""Most subjects to try for each fact and attribute, so that the run time stays linear in the number of facts."""


def ask_swapped(facts: Sequence[Fact], languages: Sequence[str]) -> Iterator[DraftCandidate]:
    """Yield questions with the subject of another fact, if both have the same noun and an attribute in common.

    The check `complete` decides later whether a passage answers.

    Args:
        facts: all facts.
        languages: the language of each passage.
    """
    named = [
        fact for fact in facts if fact.form in _NAMED and fact.attribute and fact.subject in fact.question
    ]
    attributes = defaultdict[tuple[str, ...], set[tuple[str, ...]]](set)
    subjects = defaultdict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], Fact]](dict)
    for fact in named:
        attributes[fact.subject_key].add(fact.attribute_key)
        subjects[languages[fact.passage], fact.attribute_key].setdefault(fact.subject_key, fact)
    lists = {key: [*by_subject.items()] for key, by_subject in subjects.items()}

    def swaps(fact: Fact) -> Iterator[DraftCandidate]:
        language, subject_key = languages[fact.passage], fact.subject_key
        for shared in sorted(attributes[subject_key]):
            for key, other in _bounded_sample(lists.get((language, shared), ()), subject_key):
                if fact.attribute_key not in attributes[key] and other.noun == fact.noun:
                    question = fact.question.replace(fact.subject, other.subject)
                    swapped = replace(fact, subject=other.subject, question=question)
                    span = EvidenceSpan(other.passage, *other.span)
                    yield DraftCandidate(
                        "unanswerable", question, "", (span,), language, "rules:swap", (swapped,)
                    )

    for fact in named:
        yield from islice(swaps(fact), _MAX_SWAPS_PER_FACT)


def _bounded_sample(subjects: Sequence[T], key: tuple[str, ...]) -> Iterator[T]:
    """Yield a bounded number of subjects, from a start that depends on the key."""
    start = crc32(" ".join(key).encode("utf-8", "surrogatepass"))
    for number in range(min(len(subjects), _MAX_TRIED_SUBJECTS)):
        yield subjects[(start + number) % len(subjects)]
