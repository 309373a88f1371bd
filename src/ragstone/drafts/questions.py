"""Extract all facts of a corpus, and write the candidates that rules can write about them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar
from zlib import crc32

from ragstone.drafts.candidate import KINDS, DraftCandidate, EvidenceSpan, QuestionKind
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.facts.cells import label_facts, table_facts
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.facts.sections import section_facts
from ragstone.drafts.facts.sentences import PATTERNS, sentence_facts
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.topic import title_of, topics_of
from ragstone.drafts.facts.words import small_words
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.plan import sampling_order
from ragstone.drafts.words import content_set, stems_of

RULE_KINDS: tuple[QuestionKind, ...] = ("single", "table", "unanswerable", "known_item")
"""The kinds that rules write."""

_NOT_ASKED = re.compile(
    r"(?:^|/)(?:change.?log|release.?notes|history|licen[sc]e|code.of.conduct|contribut|sponsor|authors|security)[^/]*$",
    re.IGNORECASE,
)
"""Matches the names of documents that nobody asks about: logs of changes, licences, rules for contributors."""

_MOST_FORMS, _MOST_DOCUMENTS = 2, 3
"""Most documents with a section of a name that is no form, and most that mention a code word which one defines."""


def rule_slots(
    index: CorpusIndex, seed: int, withheld: frozenset[int]
) -> dict[QuestionKind, list[DraftCandidate]]:
    """Return the candidates by kind, in the plan's order; those about `withheld` passages become unanswerable."""
    groups: defaultdict[QuestionKind, list[DraftCandidate]] = defaultdict(list)
    for candidate in write_by_rules(index):
        hidden = [passage in withheld for passage in candidate.passages]
        if not any(hidden):
            groups[candidate.kind].append(candidate)
        elif all(hidden) and candidate.facts:
            unanswerable = replace(candidate, kind="unanswerable", answer="", withheld=True)
            groups["unanswerable"].append(unanswerable)
    return {
        kind: sampling_order(groups[kind], lambda item: item.evidence[0].passage, index, seed)
        for kind in KINDS
    }


def write_by_rules(index: CorpusIndex) -> tuple[DraftCandidate, ...]:
    """Return the candidates of a corpus, without repetition. Of near copies, only the first one is used."""
    originals = {number for number, family in enumerate(index.families) if number == family}
    facts = [fact for fact in extract_facts(index.passages, index.languages) if fact.passage in originals]
    clear = [
        fact for fact in _unambiguous(facts) if fact.form != "search" or _names_one(fact, index.passages)
    ]
    answered = [
        DraftCandidate(
            _kind_of(fact),
            fact.question,
            fact.value if fact.form != "blank" else "",
            (EvidenceSpan(fact.passage, *fact.span),),
            index.languages[fact.passage],
            f"rules:{fact.form}",
            (fact,) if fact.value else (),
        )
        for fact in clear
    ]
    return tuple(dict.fromkeys([*answered, *ask_swapped(clear, index.languages)]))


def _kind_of(fact: Fact) -> QuestionKind:
    if fact.form == "blank":
        return "unanswerable"
    if not fact.question.endswith("?"):
        return "known_item"
    return "table" if fact.form == "cell" else "single"


def extract_facts(corpus: Sequence[DraftPassage], languages: Sequence[str]) -> tuple[Fact, ...]:
    """Return the facts of all passages, each in its language."""
    ordinary = small_words(one.text for one in corpus)
    topics, common = topics_of(corpus, languages, ordinary), _common_codes(corpus)
    sections = Counter(
        (one.document, one.headings[: depth + 1]) for one in corpus for depth in range(len(one.headings))
    )
    titles = {one.document: title_of(one) for one in reversed(corpus)}
    names = Counter(headings for _, headings in {(one.document, one.headings[-1:]) for one in corpus})
    facts, seen = list[Fact](), set[tuple[str, tuple[str, ...]]]()
    for index, (passage, language) in enumerate(zip(corpus, languages, strict=True)):
        section = (passage.document, passage.headings)
        if language in PATTERNS and not _NOT_ASKED.search(passage.document):
            whole = sections[section] == 1
            is_form = names[passage.headings[-1:]] > _MOST_FORMS
            topic, title = topics[passage.document], titles[passage.document]
            source = FactSource(index, passage, topic, language, title, is_form, whole, common, ordinary)
            facts += section_facts(source, first=section not in seen)
            for rule in (sentence_facts, table_facts, label_facts):
                facts += rule(source)
        seen.add(section)
    return tuple(sorted(facts, key=lambda fact: (fact.passage, fact.span, fact.question)))


def _common_codes(corpus: Sequence[DraftPassage]) -> frozenset[str]:
    """Return the code words that more than three documents mention."""
    documents = defaultdict[str, set[str]](set)
    for passage in corpus:
        for code in re.findall(r"`[^`\s]{1,60}`", passage.text):
            documents[code].add(passage.document)
    return frozenset(code for code, found in documents.items() if len(found) > _MOST_DOCUMENTS)


def _unambiguous(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the facts whose question has one answer, which is no empty cell for one of them."""
    groups = defaultdict[tuple[str, ...], list[Fact]](list)
    for fact in facts:
        groups[tuple(stems_of(fact.question))].append(fact)
    for same in groups.values():
        values = {(fact.value.casefold(), fact.form == "blank") for fact in same}
        if len(values) == 1 and (same[0].form != "search" or len(same) == 1):
            yield from same


def _names_one(fact: Fact, corpus: Sequence[DraftPassage]) -> bool:
    """Return whether no other section has all words of a search in its headings."""
    words, own = content_set(fact.question), corpus[fact.passage]
    section = (own.document, own.headings)
    others = (one.headings for one in corpus if (one.document, one.headings) != section)
    return not any(words <= content_set(" ".join(headings)) for headings in others)


T = TypeVar("T")

_NAMED = frozenset({"attribute", "cell"})
_MAX_SWAPS_PER_FACT = 2
_MAX_TRIED_SUBJECTS = 40
"""Most subjects to try for each fact and attribute, so that the run time stays linear in the number of facts."""


def ask_swapped(facts: Sequence[Fact], languages: Sequence[str]) -> Iterator[DraftCandidate]:
    """Yield questions with the subject of another fact, if both have the same noun and an attribute in common.

    The check `complete` decides later whether a passage answers.
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
    start = crc32(" ".join(key).encode("utf-8", "surrogatepass"))
    for number in range(min(len(subjects), _MAX_TRIED_SUBJECTS)):
        yield subjects[(start + number) % len(subjects)]
