"""The check `complete`: which other passages also answer, whether one contradicts, and whether too many answer.

It reads the passages near the question and its answer, and all that hold the words of the subject. Those that state the
answer become relevant in addition to the evidence, since a retriever that finds one of them is right.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.outcome import CheckOutcome, passed
from ragstone.drafts.checks.statements import compound_name, contradicts, may_tell, states
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.words import content_words

MOST_FAMILIES = 5
"""Most other families that may answer a question; with more, the question is vague."""


class Completeness(NamedTuple):
    """The outcome, and the other passages that also answer."""

    outcome: CheckOutcome
    others: tuple[int, ...] = ()


def check_complete(candidate: DraftCandidate, index: CorpusIndex, withheld: frozenset[int]) -> Completeness:
    """Check a question on facts that rules found; see `find_supporting` for what is relevant.

    Passages in `withheld` are left out of the index under test.
    """
    if candidate.kind == "unanswerable":
        return Completeness(_check_unanswered(candidate, index, withheld))
    others = find_supporting(candidate, index) - withheld
    for fact in candidate.facts:
        for passage in sorted(near_facts(index, (fact,)) | others):
            sentence = contradicts(index.passages[passage], fact)
            if sentence and passage not in withheld:
                return Completeness(
                    passed("complete", ok=False, why=f"another passage says: {sentence[:80]}")
                )
    return count_families(candidate, index, others)


def count_families(candidate: DraftCandidate, index: CorpusIndex, others: Iterable[int]) -> Completeness:
    """Return the outcome for the other passages that answer: `no` if they are of too many families."""
    answering = sorted(set(others) - set(candidate.passages))
    families = {index.families[passage] for passage in answering}
    vague = len(families) > MOST_FAMILIES
    why = f"{len(families)} other passages answer it"
    return Completeness(passed("complete", not vague, why), () if vague else tuple(answering))


def find_supporting(candidate: DraftCandidate, index: CorpusIndex) -> frozenset[int]:
    """Return the passages that state a fact of the candidate, and the near copies of its evidence."""
    texts = [
        candidate.asked,
        *(f"{fact.subject} {fact.attribute} {fact.value}" for fact in candidate.facts),
    ]
    nearby = near_facts(index, candidate.facts).union(index.near(texts))
    stating = {i for i in nearby for fact in candidate.facts if states(index.passages[i], fact)}
    families = {index.families[passage] for passage in candidate.passages}
    return frozenset(stating) | {i for i in nearby if index.families[i] in families}


def near_facts(index: CorpusIndex, facts: Iterable[Fact]) -> frozenset[int]:
    """Return the passages that hold all words of a fact's subject; a name such as `page_size` must occur as a whole."""
    passages: set[int] = set()
    for fact in facts:
        candidates = index.bm25.holding(content_words(fact.subject))
        name = compound_name(fact.subject)
        passages |= {i for i in candidates if name is None or name.search(index.passages[i].indexed)}
    return frozenset(passages)


def _check_unanswered(
    candidate: DraftCandidate, index: CorpusIndex, withheld: frozenset[int]
) -> CheckOutcome:
    """Check that no indexed passage may answer an unanswerable question."""
    for fact in candidate.facts:
        empty = {fact.passage} if fact.form == "blank" else frozenset[int]()
        for passage in sorted(near_facts(index, (fact,)) - withheld - empty):
            stated = states(index.passages[passage], fact) if candidate.withheld else False
            if stated or may_tell(index.passages[passage], fact):
                return passed("complete", ok=False, why=f"{index.passages[passage].id} may answer it")
    if not candidate.facts:
        return CheckOutcome("complete", "?", why="no rule reads this question")
    return passed("complete", ok=True)
