"""Extract all facts of a corpus, and write the candidates that rules can write about them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan, QuestionKind
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.facts.cells import table_facts
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.facts.labels import label_facts
from ragstone.drafts.facts.sections import section_facts
from ragstone.drafts.facts.sentences import sentence_facts
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.topic import topics_of
from ragstone.drafts.facts.wording import LANGUAGES, lower
from ragstone.drafts.facts.words import WEEKDAY
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions.swapped import ask_swapped
from ragstone.drafts.text.words import stems_of

RULE_KINDS: tuple[QuestionKind, ...] = ("single", "table", "unanswerable", "known_item")
"""The kinds that rules write."""

_MAX_SAME_HEADINGS = 2
"""Most documents that have a section of a name; with more, the name is that of a form, such as "Contact"."""

_KINDS: dict[str, QuestionKind] = {"cell": "table", "search": "known_item", "blank": "unanswerable"}


def write_by_rules(index: CorpusIndex) -> tuple[DraftCandidate, ...]:
    """Return the candidates of a corpus, without repetition. Of near copies, only the first one is used."""
    originals = {number for number, family in enumerate(index.families) if number == family}
    facts = [fact for fact in extract_facts(index.passages, index.languages) if fact.passage in originals]
    clear = [*_unambiguous(facts)]
    answered = [
        DraftCandidate(
            _KINDS.get(fact.form, "single"),
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


def extract_facts(corpus: Sequence[DraftPassage], languages: Sequence[str]) -> tuple[Fact, ...]:
    """Return the facts of all passages.

    Args:
        corpus: the passages.
        languages: the language of each.
    """
    documents = Counter(
        heading for _, heading in {(one.document, one.headings[-1]) for one in corpus if one.headings}
    )
    topics, facts, seen = topics_of(corpus), list[Fact](), set[tuple[str, tuple[str, ...]]]()
    for index, (passage, language) in enumerate(zip(corpus, languages, strict=True)):
        section = (passage.document, passage.headings)
        if language in LANGUAGES:
            source = FactSource(index, passage, topics[passage.document], language)
            first = section not in seen and documents[source.place] <= _MAX_SAME_HEADINGS
            facts += section_facts(source, first=first)
            for rule in (sentence_facts, table_facts, label_facts):
                facts += rule(source)
        seen.add(section)
    return tuple(sorted(facts, key=lambda fact: (fact.passage, fact.span, fact.question)))


def _unambiguous(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the facts whose question has one answer; of several, those that the name of their section tells apart."""
    for same in _by_question(facts):
        if _agree(same):
            yield from same
            continue
        for others in _by_question([_in_place(fact) for fact in same if fact.place]):
            if _agree(others):
                yield from others


def _agree(facts: Sequence[Fact]) -> bool:
    """Return whether facts have one value, and none of several is an empty cell."""
    return (
        len({fact.value.casefold() for fact in facts}) == 1
        and len({fact.form == "blank" for fact in facts}) == 1
    )


def _by_question(facts: Sequence[Fact]) -> list[list[Fact]]:
    groups = defaultdict[tuple[str, ...], list[Fact]](list)
    for fact in facts:
        groups[tuple(stems_of(fact.question))].append(fact)
    return [*groups.values()]


def _in_place(fact: Fact) -> Fact:
    end = " ?" if fact.question.endswith(" ?") else "?"
    when = (
        f" on {lower(fact.place) if fact.place.startswith(('Week', 'Publ')) else fact.place}"
        if WEEKDAY.fullmatch(fact.place)
        else f" ({lower(fact.place)})"
    )
    return replace(fact, question=f"{fact.question.rstrip('? ')}{when}{end}")
