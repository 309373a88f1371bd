"""Questions on two facts: two attributes of one thing, which of two things has more, and a second turn."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.questions.numbers import quantity_of
from ragstone.drafts.questions.single import key_of_fact
from ragstone.drafts.questions.wording import ask_fact, ask_greater, ask_next, ask_two, subject_of

_NAMED = frozenset({"attribute", "cell"})
_MOST_PARTNERS = 3
"""Second facts that are tried for each first: the number of pairs stays linear in the facts."""


def ask_pairs(
    languages: Sequence[str], facts: Sequence[Fact], families: Sequence[int]
) -> Iterator[DraftCandidate]:
    """Yield the questions on two facts that say one thing each, in passages of different families.

    Args:
        languages: the language of each passage.
        facts: all facts.
        families: the family of each passage: near copies have the same.
    """
    values: defaultdict[object, set[str]] = defaultdict(set)
    for fact in facts:
        values[key_of_fact(fact)].add(fact.value.casefold())
    usable = [one for one in facts if one.form in _NAMED and len(values[key_of_fact(one)]) == 1]
    of_subject: defaultdict[tuple[str, ...], list[Fact]] = defaultdict(list)
    of_attribute: defaultdict[tuple[str, tuple[str, ...]], list[Fact]] = defaultdict(list)
    for fact in usable:
        of_subject[fact.subject_key].append(fact)
        of_attribute[languages[fact.passage], fact.attribute_key].append(fact)
    for group in of_subject.values():
        for first, second in _partners(group, families):
            yield from _on_one_subject(first, second, languages[first.passage], languages[second.passage])
    for group in of_attribute.values():
        for first, second in _partners(group, families):
            yield from _greater(first, second, languages[first.passage])


def _partners(group: list[Fact], families: Sequence[int]) -> Iterator[tuple[Fact, Fact]]:
    for place, first in enumerate(group):
        found = 0
        for second in group[place + 1 : place + 1 + 4 * _MOST_PARTNERS]:
            if families[first.passage] != families[second.passage] and key_of_fact(first) != key_of_fact(
                second
            ):
                yield first, second
                found += 1
            if found == _MOST_PARTNERS:
                break


def _on_one_subject(first: Fact, second: Fact, language: str, other: str) -> Iterator[DraftCandidate]:
    if first.attribute_key == second.attribute_key or language != other:
        return
    evidence = (EvidenceSpan(first.passage, *first.span), EvidenceSpan(second.passage, *second.span))
    both = ask_two(first, second, language)
    if both:
        answer = f"{first.attribute}: {first.value}; {second.attribute}: {second.value}"
        yield DraftCandidate("multi", both, answer, evidence, language, "rules:two", (first, second))
    opening, then = ask_fact(first, language), ask_next(second, language)
    if opening and then:
        yield DraftCandidate(
            "follow_up",
            then,
            second.value,
            evidence[1:],
            language,
            "rules:next",
            (second,),
            (opening, first.value),
        )


def _greater(first: Fact, second: Fact, language: str) -> Iterator[DraftCandidate]:
    one, two = quantity_of(first.value), quantity_of(second.value)
    if one is None or two is None or one.unit != two.unit or one.number == two.number:
        return
    question = ask_greater(first, second, language)
    if question:
        more, less = (first, second) if one.number > two.number else (second, first)
        answer = f"{subject_of(more)} ({more.value}; {subject_of(less)}: {less.value})"
        evidence = (EvidenceSpan(first.passage, *first.span), EvidenceSpan(second.passage, *second.span))
        yield DraftCandidate(
            "comparison", question, answer, evidence, language, "rules:greater", (first, second)
        )
