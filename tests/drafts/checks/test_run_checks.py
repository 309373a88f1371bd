import asyncio
from dataclasses import replace

from tests.drafts.documents import index_of
from tests.testing.for_each import for_each

from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.checks.outcome import CheckedCandidate
from ragstone.drafts.checks.run_checks import run_checks
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.questions import write_by_rules

PRICE = "The price of Zenith 3 is 490 euros."


def single(index: CorpusIndex, kind: str = "single") -> DraftCandidate:
    return next(one for one in write_by_rules(index) if one.kind == kind)


def checked(candidate: DraftCandidate, index: CorpusIndex) -> CheckedCandidate:
    return asyncio.run(run_checks(candidate, index, frozenset(), None))


def verdicts(found: CheckedCandidate) -> dict[str, str]:
    return {one.check: one.verdict for one in found.outcomes}


def test_judge_checks_stay_open_without_a_judge() -> None:
    index = index_of(PRICE)
    assert verdicts(checked(single(index), index)) == {
        "verbatim": "yes", "supported": "yes", "round_trip": "?", "closed_book": "?", "necessary": "-",
        "complete": "yes", "self_contained": "yes", "not_copied": "yes", "language": "yes",
    }  # fmt: skip


@for_each(
    "change, check",
    [
        ({"evidence": (EvidenceSpan(0, 5, 500),)}, "verbatim"),
        ({"answer": "520 euros"}, "supported"),
        ({"answer": "490 dollars"}, "supported"),
        ({"question": "What is the price?"}, "self_contained"),
        ({"question": "Are 490 euros what Zenith 3 costs?"}, "not_copied"),
        ({"question": "What does this document say about prices?"}, "self_contained"),
        ({"question": "What is its price?"}, "self_contained"),
        ({"question": "So the price of Zenith 3 is 490 euros, or what is it?"}, "not_copied"),
        ({"question": "Was ist der Preis von Zenith 3 und wie hoch war er vor einem Jahr?"}, "language"),
    ],
)
def test_each_check_rejects_its_faulty_candidate(change: dict[str, object], check: str) -> None:
    index = index_of(PRICE)
    found = checked(replace(single(index), **change), index)  # pyright: ignore[reportArgumentType]
    assert found.failed == (check,)
    assert next(one.why for one in found.outcomes if one.check == check)


def test_capitalised_german_noun_is_not_a_name() -> None:
    index = index_of("Der Preis von Zenith 3 beträgt 490 Euro.")
    one = single(index)
    for question, failed in (
        ("Was ist der Preis davon?", ("self_contained",)),
        ("Was ist der Preis?", ("self_contained",)),
        ("Was kostet es bei Zenith 3?", ()),
        ("Gibt es einen Preis, den Sie von Zenith wissen?", ()),
    ):
        assert checked(replace(one, question=question), index).failed == failed


def test_other_passages_with_the_answer_become_relevant() -> None:
    index = index_of(
        PRICE,
        "Zenith 3 sells for 490 euros in every shop.",
        "Zenith 3 is a lamp. Its price is 490 euros.",
        "The price of Zenith 4 is 490 dollars.",
        "Zenith 3 has been sold in 490 shops.",
    )
    assert checked(single(index), index).others == (1, 2)


def test_contradicting_passage_fails_complete() -> None:
    index = index_of(PRICE, "Since May, the price of Zenith 3 was raised to 520 euros by us.")
    found = checked(single(index), index)
    assert found.failed == ("complete",)
    assert "520 euros" in next(one.why for one in found.outcomes if one.check == "complete")


def test_question_answered_by_many_passages_fails_complete() -> None:
    others = [f"{name} says that the price of Zenith 3 is 490 euros, and {name} knows." for name in "ABCDEFG"]
    index = index_of(PRICE, *[f"{text} {chr(97 + place) * 9}" for place, text in enumerate(others)])
    assert checked(single(index), index).failed == ("complete",)


def test_multi_question_answered_by_one_passage_fails_necessary() -> None:
    both = index_of(PRICE, "The weight of Zenith 3 is 12 kg.")
    assert verdicts(checked(multi(both), both))["necessary"] == "yes"
    one = index_of(PRICE, "The weight of Zenith 3 is 12 kg. It has a price of 490 euros.")
    assert checked(multi(one), one).failed == ("necessary",)


def multi(index: CorpusIndex) -> DraftCandidate:
    """A question for the facts of both passages, as a model writes it."""
    price, weight = (one for one in write_by_rules(index) if one.kind == "single")
    return replace(
        price,
        kind="multi",
        question="What are the price and the weight of Zenith 3?",
        answer="490 euros; 12 kg",
        evidence=price.evidence + weight.evidence,
        facts=price.facts + weight.facts,
    )


def test_unanswerable_question_with_possible_answer_fails_complete() -> None:
    texts = (PRICE, "The weight of Zenith 3 is 12 kg.", "The price of Aurora is 120 euros.")
    index = index_of(*texts)
    assert checked(single(index, "unanswerable"), index).failed == ()
    heavier = index_of(*texts, "Aurora comes to 7 kg when it is packed.")
    assert checked(single(heavier, "unanswerable"), heavier).failed == ("complete",)
