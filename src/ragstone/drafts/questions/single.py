"""Questions that one passage answers: one for each fact that can be asked for unambiguously."""

from collections.abc import Iterator

from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.questions.known import KnownFacts

_TABLE_FORMS = frozenset({"cell", "verb_cell"})
_SENTENCE_FORMS = frozenset({"definition", "action"})


def ask_single(known: KnownFacts) -> Iterator[DraftCandidate]:
    """Yield a question for each fact; it names the document's title if documents differ about the same name."""
    for fact in known.facts:
        question = known.question(fact)
        if question:
            yield DraftCandidate(
                "table" if fact.form in _TABLE_FORMS else "single",
                question,
                answer_of(fact),
                (evidence_of(fact),),
                known.language(fact),
                f"rules:{fact.form}",
                (fact,),
            )


def answer_of(fact: Fact) -> str:
    """Return the expected output: the value, with a capital where it is a part of a sentence."""
    return fact.value[:1].upper() + fact.value[1:] if fact.form in _SENTENCE_FORMS else fact.value


def evidence_of(fact: Fact) -> EvidenceSpan:
    """Return the quote that states a fact."""
    return EvidenceSpan(fact.passage, *fact.span)
