"""Rules that assign one cause to each missed test case: the first that holds, with its evidence. Pure functions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ragstone.findings.diagnosis.causes import CauseName
from ragstone.findings.diagnosis.claims import AnswerClaim
from ragstone.findings.diagnosis.facts import (
    CaseFacts,
    about_relevance,
    about_retrieval,
    judge_free,
    normalised,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for a cause."""

    text: str  # the claim or the metric's reason that decides
    passage: int | None = None  # number, from 1, of the passage that decides; None where none does
    source: Literal["answer", "expected output", ""] = ""  # what says `text`; empty for a reason
    quote: str = ""  # what that passage says; empty where its text is not known

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """What it says in lines, each with its label: `answer says`, `passage 2 says`; empty for a reason."""
        first = (f"{self.source} says" if self.source else "", self.text)
        if self.passage is None:
            return (first,)
        return first, (f"passage {self.passage}{' says' if self.quote else ''}", self.quote)

    @property
    def sentence(self) -> str:
        """The lines in one."""
        return " / ".join(f"{label}: {text}".strip(": ") for label, text in self.lines)


Rule = Callable[[CaseFacts], Evidence | None]


def find_cause(facts: CaseFacts) -> tuple[CauseName, Evidence]:
    """Return the cause of a test case that missed, and its evidence."""
    for name, rule in WITH_REFERENCE if facts.has_reference else WITHOUT_REFERENCE:
        evidence = rule(facts)
        if evidence is not None:
            return name, evidence
    results = [*facts.missed, *facts.errors]
    return "other", Evidence(results[0].summary() if results else "no evidence")


def _not_measured(facts: CaseFacts) -> Evidence | None:
    if facts.not_measured or (facts.errors and not facts.missed):
        return Evidence(f"{facts.errors[0].metric}: {facts.errors[0].error}")
    return None


def _doubtful_case(facts: CaseFacts) -> Evidence | None:
    """Return an unsupported expected claim if the model saw every passage of the test case's own context."""
    seen, gold = (set(map(normalised, texts)) for texts in (facts.seen, facts.gold))
    return _lost(facts) if facts.lost and gold and gold <= seen and facts.answerable is not False else None


def _answered_unanswerable(facts: CaseFacts) -> Evidence | None:
    unanswerable = facts.answerable is False and not facts.declined
    return Evidence("the question has no answer") if unanswerable else None


def _nothing_retrieved(facts: CaseFacts) -> Evidence | None:
    return Evidence("no passage") if facts.passages == 0 and not facts.cut else None


def _gap(facts: CaseFacts) -> Evidence | None:
    return Evidence("metadata says in_corpus: false") if facts.in_corpus is False else None


def _cut(facts: CaseFacts) -> Evidence | None:
    return Evidence(facts.cut_claims[0], source="expected output") if facts.cut_claims else None


def _lost(facts: CaseFacts) -> Evidence:
    return Evidence(facts.lost[0].text, source="expected output")


def _all_missed(facts: CaseFacts) -> bool:
    """Return whether every expected claim was looked for, and none is in a passage."""
    return bool(facts.lost) and len(facts.lost) == len(facts.expected or ())


def _ranked_low(facts: CaseFacts) -> Evidence | None:
    if _all_missed(facts) and facts.rank is not None and facts.rank > facts.k:
        return Evidence(f"rank {facts.rank}, {facts.k} used: {facts.lost[0].text}")
    return None


def _not_found(facts: CaseFacts) -> Evidence | None:
    return _lost(facts) if _all_missed(facts) and facts.ranked_deep and facts.rank is None else None


def _missed(facts: CaseFacts) -> Evidence | None:
    return _lost(facts) if _all_missed(facts) else None


def _partly_missed(facts: CaseFacts) -> Evidence | None:
    unsaid = [claim for claim in facts.lost if claim.said is not True]
    return Evidence(unsaid[0].text, source="expected output") if unsaid and not _all_missed(facts) else None


def _refused_wrongly(facts: CaseFacts) -> Evidence | None:
    return Evidence("the output declines") if facts.declined and facts.answerable is not False else None


def _ignored(facts: CaseFacts) -> Evidence | None:
    unsaid = [claim for claim in facts.found if claim.said is False]
    if not unsaid or facts.wrong or facts.declined:
        return None
    passage = min(unsaid[0].passages or (0,)) or None
    return _with_passage(facts, unsaid[0].text, "expected output", passage)


def _misread(facts: CaseFacts) -> Evidence | None:
    return _first(facts, lambda claim: claim.contradicted and not claim.passages)


def _distracted(facts: CaseFacts) -> Evidence | None:
    relevant = facts.relevant
    elsewhere = _first(facts, lambda claim: bool(claim.passages) and not claim.passages & relevant)
    return None if facts.expected is None else elsewhere


def _invented(facts: CaseFacts) -> Evidence | None:
    return _first(facts, lambda claim: claim.supported is False)


def _first(facts: CaseFacts, condition: Callable[[AnswerClaim], bool]) -> Evidence | None:
    """Return the first wrong claim that meets a condition."""
    first = next(filter(condition, facts.wrong), None)
    if first is None:
        return None
    passage = first.against or (min(first.passages) if first.passages else None)
    return _with_passage(facts, first.text, "answer", passage, first.span if first.against else None)


def _with_passage(
    facts: CaseFacts,
    text: str,
    source: Literal["answer", "expected output"],
    passage: int | None,
    span: tuple[int, int] | None = None,
) -> Evidence:
    """Return a claim beside what the passage of that number says, at `span` where it is known."""
    quote = facts.seen[passage - 1] if passage and passage <= len(facts.seen) else ""
    return Evidence(text, passage, source, quote[slice(*span)] if span else quote)


def _review_lacks(facts: CaseFacts, words: str, *, part: bool) -> Evidence | None:
    review = facts.review
    if review is None or review.sufficient is not False or facts.expected is not None:
        return None
    return Evidence(words) if part or not review.deciding else None


def _review_missed(facts: CaseFacts) -> Evidence | None:
    return _review_lacks(facts, "the passages lack what a right answer needs", part=False)


def _review_partly_missed(facts: CaseFacts) -> Evidence | None:
    return _review_lacks(facts, "the passages hold only a part of what a right answer needs", part=True)


def _reviewed(*kinds: str) -> Rule:
    def rule(facts: CaseFacts) -> Evidence | None:
        fault = facts.review.first(*kinds) if facts.review else None
        return None if fault is None else _with_passage(facts, fault.quote, "answer", fault.passage)

    return rule


def _review_ignored(facts: CaseFacts) -> Evidence | None:
    if facts.review is None or not facts.review.unanswered or facts.review.sufficient is False:
        return None
    return Evidence(f"not answered: {facts.review.unanswered[0]}")


def _irrelevant_context(facts: CaseFacts) -> Evidence | None:
    return Evidence(facts.irrelevant.reason or facts.irrelevant.metric) if facts.irrelevant else None


def _beside_the_point(facts: CaseFacts) -> Evidence | None:
    missed = [result for result in facts.missed if about_relevance(result)]
    return Evidence(missed[0].reason or missed[0].metric) if missed else None


def _form(facts: CaseFacts) -> Evidence | None:
    only_form = facts.missed and all(map(judge_free, facts.missed))
    return Evidence(facts.missed[0].summary()) if only_form else None


def _only_retrieval(facts: CaseFacts) -> Evidence | None:
    judged = [result for result in facts.missed if not judge_free(result)]
    return Evidence(judged[0].summary()) if judged and all(map(about_retrieval, judged)) else None


_MISREAD = (
    *("wrong_number", "wrong_name", "wrong_date", "negation", "condition_dropped", "stale", "table_misread"),
    "arithmetic",
)

REVIEWED: tuple[tuple[CauseName, Rule], ...] = (
    ("missed", _review_missed),
    ("partly_missed", _review_partly_missed),
    ("refused_wrongly", _reviewed("refused_though_answerable")),
    ("distracted", _reviewed("wrong_product")),
    ("invented", _reviewed("invented", "answered_without_evidence")),
    ("misread", _reviewed(*_MISREAD)),
    ("ignored", _reviewed("incomplete")),
    ("beside_the_point", _reviewed("beside_the_question")),
    ("ignored", _review_ignored),
)
"""What the review of a case tells; its last rules are for answers that say nothing wrong."""

WITH_REFERENCE: tuple[tuple[CauseName, Rule], ...] = (
    ("not_measured", _not_measured),
    ("doubtful_case", _doubtful_case),
    ("answered_unanswerable", _answered_unanswerable),
    ("nothing_retrieved", _nothing_retrieved),
    ("gap", _gap),
    ("cut", _cut),
    ("ranked_low", _ranked_low),
    ("not_found", _not_found),
    ("missed", _missed),
    ("partly_missed", _partly_missed),
    *REVIEWED,
    ("refused_wrongly", _refused_wrongly),
    ("ignored", _ignored),
    ("misread", _misread),
    ("distracted", _distracted),
    ("invented", _invented),
    ("beside_the_point", _beside_the_point),
    ("form", _form),
    ("irrelevant_context", _only_retrieval),
)
"""The causes of a test case with an expected output, in the order in which they are tried."""

WITHOUT_REFERENCE: tuple[tuple[CauseName, Rule], ...] = (
    ("not_measured", _not_measured),
    ("answered_unanswerable", _answered_unanswerable),
    ("nothing_retrieved", _nothing_retrieved),
    ("gap", _gap),
    *REVIEWED,
    ("irrelevant_context", _irrelevant_context),
    ("misread", _misread),
    ("invented", _invented),
    ("refused_wrongly", _refused_wrongly),
    ("beside_the_point", _beside_the_point),
    ("form", _form),
    ("irrelevant_context", _only_retrieval),
)
"""The causes of a test case without an expected output."""
