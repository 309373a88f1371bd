from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.judges.local.statements import claims, statements


def cut(text: str) -> list[str]:
    return [statement.text for statement in statements(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
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
        ("… !?", []),
    ],
)
def test_statements_are_clauses_that_stand_alone(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_claims_leave_out_what_is_neither_true_nor_false() -> None:
    text = "Hello! The shop opens at nine. Does that help? Thanks for asking!"
    assert [claim.text for claim in claims(text)] == ["The shop opens at nine."]


@settings(deadline=None)
@given(st.text(max_size=300))
def test_each_statement_is_its_span(text: str) -> None:
    for statement in statements(text):
        assert text[statement.start : statement.end] == statement.text
        assert any(c.isalnum() for c in statement.text)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["Ada left, and she", "was; he", "ran. ", "- it is", "\n", "and the dog barked"])
    )
)
def test_statements_lie_in_order(pieces: list[str]) -> None:
    found = statements(" ".join(pieces))
    assert all(one.end <= other.start for one, other in pairwise(found))
