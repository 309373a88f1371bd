"""The checks by rules of what passages say: `complete`, `supported` and `necessary`.

`complete` finds the other passages that also answer, whether one contradicts, and whether too many answer. It reads the
passages near the question and its answer, and all that hold the words of the subject. Those that state the answer
become relevant in addition to the evidence, since a retriever that finds one of them is right.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.outcome import CheckOutcome, passed
from ragstone.drafts.checks.statements import compound_name, contradicts, may_tell, states
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.reading.markdown import plain_inline
from ragstone.drafts.words import content_set, content_words, names_in

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
                why = f"another passage says: {sentence[:80]}"
                return Completeness(passed("complete", ok=False, why=why))
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
    facts = [f"{fact.subject} {fact.attribute} {fact.value}" for fact in candidate.facts]
    nearby = near_facts(index, candidate.facts).union(index.near([candidate.asked, *facts]))
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


def check_supported(candidate: DraftCandidate, index: CorpusIndex) -> CheckOutcome | None:
    """Check that the expected output is in the quotes; return None if only a judge can decide.

    The verdict is `no` if a number, name or code of the expected output is not in the quotes, the headings or the
    question, or if a value of the facts is missing. It is `yes` if the output is verbatim in the quotes, or if the
    values that it was built from are.
    """
    if candidate.kind == "unanswerable":
        return CheckOutcome("supported", "-")
    quotes = "\n".join(span.quote(index.passages) for span in candidate.evidence)
    headings = "\n".join("\n".join(index.passages[passage].headings) for passage in candidate.passages)
    missing = names_in(candidate.answer) - content_set(f"{quotes}\n{headings}\n{candidate.question}")
    if missing:
        return passed("supported", ok=False, why=f"not in the evidence: {', '.join(sorted(missing))}")
    plain = _normalized(plain_inline(quotes))
    if _normalized(candidate.answer) in plain:
        return passed("supported", ok=True)
    values = [fact.value for fact in candidate.facts]
    if not values:
        return None
    unstated = [value for value in values if not content_set(value) <= content_set(candidate.answer)]
    if unstated:
        return passed("supported", ok=False, why=f"the answer does not say {unstated[0]}")
    quoted = all(_normalized(value) in plain or content_set(value) <= content_set(quotes) for value in values)
    return passed("supported", ok=True) if quoted else None


def check_necessary(candidate: DraftCandidate, index: CorpusIndex) -> CheckOutcome | None:
    """Check that a question on several passages needs each of them; return None if only a judge can decide."""
    if len(candidate.passages) < 2 or candidate.kind not in ("multi", "comparison"):  # noqa: PLR2004
        return CheckOutcome("necessary", "-")
    if not candidate.facts:
        return None
    for fact in candidate.facts:
        for other in set(candidate.passages) - {fact.passage}:
            if states(index.passages[other], fact):
                return passed("necessary", ok=False, why=f"{index.passages[other].id} says it all")
    return passed("necessary", ok=True)


def _normalized(text: str) -> str:
    return re.sub(r"[\s`*|\\]+", " ", text).strip(" .").casefold()
