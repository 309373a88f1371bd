from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.judges.local.statements import claims, claims_with_replies, statements


def cut(text: str) -> list[str]:
    return [statement.text for statement in statements(text)]


@for_each(
    "text, expected",
    [
        (
            "Ada founded Acme in 1999, and she moved to the U.S. in 2005.",
            ["Ada founded Acme in 1999", "she moved to the U.S. in 2005."],
        ),
        ("Ada founded Acme and moved to Rome.", ["Ada founded Acme and moved to Rome."]),
        ("It sells bread and the best cakes.", ["It sells bread and the best cakes."]),
        ("Sales rose by 3.5%; costs fell by half.", ["Sales rose by 3.5%", "costs fell by half."]),
        ("# Staff\n- Ada is CEO\n2. Bob is CFO", ["Staff", "Ada is CEO", "Bob is CFO"]),
        (
            "Run:\n```python\nx = 1. y = 2.\n```\nIt works.",
            ["Run:", "```python\nx = 1. y = 2.\n```", "It works."],
        ),
        ("Er kam. Sie ging!", ["Er kam.", "Sie ging!"]),
        (
            "She lives with Ann and her brother, who is ill.",
            ["She lives with Ann and her brother, who is ill."],
        ),
        ("Avoid wine while you are taking it.", ["Avoid wine while you are taking it."]),
        ("He paid even though he was ill.", ["He paid even though he was ill."]),
        ("It opened in 1990, although it was built in 1985.", ["It opened in 1990", "it was built in 1985."]),
        (
            "The museum is free whereas it costs 3 euros to park.",
            ["The museum is free", "it costs 3 euros to park."],
        ),
        ("… !?", []),
    ],
)
def test_statements_are_clauses_that_stand_alone(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@for_each(
    "text, expected",
    [
        ("No. Dogs travel free.", ["No. Dogs travel free."]),
        ("Yes! It opens at nine.", ["Yes! It opens at nine."]),
        ("It is free. No: you pay later.", ["It is free.", "No: you pay later."]),
        ("There is no fee.", ["There is no fee."]),
        ("Is that a no? It is free.", ["It is free."]),
        ("Yes.", []),
    ],
)
def test_replies_are_claims_with_the_yes_or_no_before_them(text: str, expected: list[str]) -> None:
    assert [reply.text for reply in claims_with_replies(text)] == expected


def test_claims_exclude_greetings_and_questions() -> None:
    text = "Hello! The shop opens at nine. Does that help? Thanks for asking!"
    assert [claim.text for claim in claims(text)] == ["The shop opens at nine."]


@for_each(
    "text",
    [
        "I couldn't find any information on who wrote the report.",
        "I don't know.",
        "The provided context does not mention who wrote the report.",
        "I'm here to help.",
        "Let me know if you need anything else!",
        "If you have any more questions, we're here to help!",
        "Kind regards, your Halden team",
        "I'm sorry to hear about your dog's leg and hope it heals quickly!",
    ],
)
def test_refusals_offers_and_closing_formulas_are_no_claims(text: str) -> None:
    assert claims(text) == ()


@for_each(
    "text",
    [
        "It is not available on Sundays.",
        "We do not offer refunds to students.",
        "Please bring your passport.",
    ],
)
def test_denials_and_instructions_are_claims(text: str) -> None:
    assert [claim.text for claim in claims(text)] == [text]


def test_list_items_are_read_with_their_lead_in() -> None:
    text = "The plan includes:\n- 10 GB storage\n- 24/7 support\n\nIt is free. Do this:\n1. Go to Settings."
    found = claims(text)
    assert [claim.text for claim in found] == [
        "The plan includes 10 GB storage",
        "The plan includes 24/7 support",
        "It is free.",
        "Go to Settings.",
    ]
    assert text[found[0].start : found[0].end] == "10 GB storage"
    assert [claim.text for claim in claims_with_replies(text)] == [claim.text for claim in found]


@settings(deadline=None)
@given(st.text(max_size=300))
def test_statement_text_equals_its_span(text: str) -> None:
    for statement in statements(text):
        assert text[statement.start : statement.end] == statement.text
        assert any(c.isalnum() for c in statement.text)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["Ada left, and she", "was; he", "ran. ", "- it is", "\n", "and the dog barked"])
    )
)
def test_statement_spans_are_ordered_and_disjoint(pieces: list[str]) -> None:
    found = statements(" ".join(pieces))
    assert all(one.end <= other.start for one, other in pairwise(found))


@for_each("text", ["No. It travels free.", "No: it travels free.", "Yes \u2013 it travels free."])
def test_leading_yes_or_no_is_not_part_of_the_statement(text: str) -> None:
    (found,) = statements(text)
    assert found.text.lower() == "it travels free."
    assert text[found.start : found.end] == found.text


def test_no_followed_by_a_subordinate_clause_is_not_split() -> None:
    assert [found.text for found in statements("No, unless it is folded.")] == ["No, unless it is folded."]


@for_each(
    "text, expected",
    [
        ("The text does not say what a filling costs. Please ask the practice for a quote.", []),
        ("I can't give you a price. Please ask for a quote.", []),
        ("We can't give refunds.", ["We can't give refunds."]),
        ("Nothing I have been given says whether goods for sale are insured, so do ask your broker.", []),
        (
            "We open at nine. Please ask the desk for a key.",
            ["We open at nine.", "Please ask the desk for a key."],
        ),
        (
            "The text does not give the fee. Please ask the office at least 5 days before.",
            ["Please ask the office at least 5 days before."],
        ),
    ],
)
def test_whom_to_ask_instead_is_part_of_a_refusal_and_no_claim(text: str, expected: list[str]) -> None:
    assert [claim.text for claim in claims(text)] == expected
