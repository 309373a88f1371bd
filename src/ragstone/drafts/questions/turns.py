"""Follow-up questions of a conversation: about another attribute of the first question's subject."""

from collections.abc import Iterator

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.questions.known import KnownFacts, key_of_fact, partners
from ragstone.drafts.questions.single import answer_of, evidence_of
from ragstone.drafts.questions.wording import ask_next

_USABLE_FORMS = frozenset({"attribute", "cell", "verb_cell"})


def ask_follow_ups(known: KnownFacts) -> Iterator[DraftCandidate]:
    """Yield second turns that omit the subject and need the first question to be understood."""
    usable = [fact for fact in known.facts if fact.form in _USABLE_FORMS]
    usable.sort(key=lambda fact: fact.form != "verb_cell")  # descriptions come first, then attributes
    for first, second in partners(
        usable, lambda fact: (known.language(fact), fact.noun, fact.subject_key), _differ
    ):
        opening, next_question = known.question(first), ask_next(second, known.language(second))
        if opening and next_question and known.scope(second) == known.scope(first):
            yield DraftCandidate(
                "follow_up",
                next_question,
                answer_of(second),
                (evidence_of(second),),
                known.language(second),
                "rules:next",
                (second,),
                (opening, answer_of(first)),
            )


def _differ(first: Fact, second: Fact) -> bool:
    """Return whether the second fact adds to the first: not two descriptions, and not a value stated already."""
    both_described = first.form == second.form == "verb_cell"
    different = key_of_fact(first) != key_of_fact(second)
    return different and not both_described and second.value.casefold() not in first.value.casefold()
