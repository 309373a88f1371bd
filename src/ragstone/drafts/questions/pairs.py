"""Questions on two facts: two attributes of one subject, one attribute of two subjects, or their difference."""

import re
from collections.abc import Iterator, Sequence

from ragstone.drafts.candidate import DraftCandidate, QuestionKind
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.questions.known import NAMED, KnownFacts, key_of_fact, name_parts, partners
from ragstone.drafts.questions.numbers import quantity_of
from ragstone.drafts.questions.single import evidence_of
from ragstone.drafts.questions.wording import (
    ask_both,
    ask_difference,
    ask_greater,
    ask_two,
    subject_of,
)

_CELL_FORMS = frozenset({"cell", "verb_cell"})
_IDENTIFIER = re.compile(r"`?[\w.-]+`?")
_DESCRIBING_ATTRIBUTES = frozenset(
    {"mean", "ask", "do", "measure", "contain", "hold", "show", "test", "meaning"}
)


def ask_pairs(known: KnownFacts, families: Sequence[int]) -> Iterator[DraftCandidate]:
    """Yield the questions on two facts.

    Args:
        known: all facts.
        families: the family of each passage: near copies have the same. Those of a `multi` question differ.
    """

    def apart(first: Fact, second: Fact) -> bool:
        return families[first.passage] != families[second.passage] and _differ(first, second)

    single = [fact for fact in known.facts if fact.form in NAMED and known.is_single(fact)]
    for first, second in partners(single, lambda fact: (known.language(fact), fact.subject_key), apart):
        answer = f"{first.attribute}: {first.value}; {second.attribute}: {second.value}"
        question = ask_two(first, second, known.language(first))
        yield from _pair(known, "multi", question, answer, (first, second))
    for first, second in partners(
        single, lambda fact: (known.language(fact), fact.attribute_key), _comparable
    ):
        yield from _compare_numbers(known, first, second)
    described = [fact for fact in known.facts if fact.form in _CELL_FORMS and fact.noun]
    for first, second in partners(
        described, lambda fact: (known.language(fact), fact.noun, fact.attribute), _related
    ):
        separate = families[first.passage] != families[second.passage]
        yield from _describe_pair(known, first, second, separate)


def _compare_numbers(known: KnownFacts, first: Fact, second: Fact) -> Iterator[DraftCandidate]:
    """Yield the question which of two subjects has the higher number for an attribute."""
    left, right = quantity_of(first.value), quantity_of(second.value)
    if left and right:
        greater, smaller = (first, second) if left.number > right.number else (second, first)
        answer = f"{subject_of(greater)} ({greater.value}; {subject_of(smaller)}: {smaller.value})"
        question = ask_greater(first, second, known.language(first))
        yield from _pair(known, "comparison", question, answer, (first, second))


def _comparable(first: Fact, second: Fact) -> bool:
    """Return whether two facts have different numbers with the same unit; numbers without a unit do not count."""
    left, right = quantity_of(first.value), quantity_of(second.value)
    if left is None or right is None or not left.has_unit:
        return False
    return left.unit == right.unit and left.number != right.number and _differ(first, second)


def _differ(first: Fact, second: Fact) -> bool:
    return key_of_fact(first) != key_of_fact(second)


def _describe_pair(known: KnownFacts, first: Fact, second: Fact, apart: bool) -> Iterator[DraftCandidate]:  # noqa: FBT001
    """Yield questions about two subjects of one kind: both, if their passages are `apart`, and their difference."""
    scopes = known.scope(first), known.scope(second)
    same_subject = first.subject_key == second.subject_key
    if scopes[0] is None or scopes[1] is None:
        return
    if known.is_local(first) and not same_subject and known.title(first) != known.title(second):
        return  # nobody asks about differently named options of two documents
    language = known.language(first)
    names = subject_of(first, language, scopes[0]), subject_of(second, language, scopes[1])
    answer = "; ".join(
        f"{name}: {fact.value.rstrip('. ')}" for name, fact in zip(names, (first, second), strict=True)
    )
    if apart:
        yield from _pair(known, "multi", ask_both(first, names, language), answer, (first, second))
    if first.attribute in _DESCRIBING_ATTRIBUTES and not same_subject:
        yield from _pair(known, "comparison", ask_difference(names, language), answer, (first, second))


def _related(first: Fact, second: Fact) -> bool:
    """Return whether two names share a part, so that a question about both makes sense, and their values differ."""
    if not (_IDENTIFIER.fullmatch(first.subject) and _IDENTIFIER.fullmatch(second.subject)):
        return False
    shared = name_parts(first.subject) & name_parts(second.subject)
    same_subject = first.subject_key == second.subject_key
    return (
        same_subject or any(len(part) > 1 for part in shared)
    ) and first.value.casefold() != second.value.casefold()


def _pair(
    known: KnownFacts, kind: QuestionKind, question: str | None, answer: str, facts: tuple[Fact, Fact]
) -> Iterator[DraftCandidate]:
    if question:
        evidence = evidence_of(facts[0]), evidence_of(facts[1])
        method = f"rules:{kind}"
        yield DraftCandidate(kind, question, answer, evidence, known.language(facts[0]), method, facts)
