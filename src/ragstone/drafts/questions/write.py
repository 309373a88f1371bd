"""Extract all facts of a corpus, and write all candidates about them by rules."""

from collections.abc import Iterator, Sequence

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.facts.cells import table_facts
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.facts.headings import heading_facts
from ragstone.drafts.facts.sentences import sentence_facts
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions.denied import ask_false_premise, ask_invented, ask_swapped
from ragstone.drafts.questions.known import KnownFacts
from ragstone.drafts.questions.pairs import ask_pairs
from ragstone.drafts.questions.single import ask_single
from ragstone.drafts.questions.turns import ask_follow_ups


def write_by_rules(index: CorpusIndex) -> tuple[DraftCandidate, ...]:
    """Return the candidates of a corpus, without repetition. Of near copies, only the first one is used."""
    originals = {number for number, family in enumerate(index.families) if number == family}
    facts = [fact for fact in extract_facts(index.passages, index.languages) if fact.passage in originals]

    known = KnownFacts(index.passages, index.languages, facts)

    def candidates() -> Iterator[DraftCandidate]:
        yield from ask_single(known)
        yield from ask_pairs(known, index.families)
        yield from ask_follow_ups(known)
        yield from ask_false_premise(known)
        yield from ask_swapped(known)
        yield from ask_invented(known, [passage.indexed for passage in index.passages])

    return tuple(dict.fromkeys(candidates()))


def extract_facts(corpus: Sequence[DraftPassage], languages: Sequence[str]) -> tuple[Fact, ...]:
    """Return the facts of all passages.

    Args:
        corpus: the passages.
        languages: the language of each.
    """
    facts = [
        fact
        for fact in heading_facts(corpus)
        if languages[fact.passage] == "en" or fact.form in ("asked", "entry")
    ]
    for index, (passage, language) in enumerate(zip(corpus, languages, strict=True)):
        facts += sentence_facts(index, passage.text, language)
        facts += table_facts(index, passage.text)
    return tuple(sorted(facts, key=lambda fact: (fact.passage, fact.span, fact.attribute)))
