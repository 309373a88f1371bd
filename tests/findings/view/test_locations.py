from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.findings.view.highlights import locate

TEXT = "The fee is 3.5 percent. It is\n due  in March! Nobody pays twice."


@for_each(
    "claim, words",
    [
        ("The fee is 3.5 percent.", "The fee is 3.5 percent."),
        ("it is due in march", "It is\n due  in March"),
        ("The fee: 3.5 percent", "The fee is 3.5 percent."),
        ("Nobody ever pays twice", "Nobody pays twice."),
    ],
)
def test_a_claim_is_found_where_it_stands(claim: str, words: str) -> None:
    found = locate(claim, TEXT)
    assert found is not None
    assert TEXT[slice(*found)] == words


@for_each("claim", ["The moon is made of cheese", "…", "zebra " * 1000])
def test_locate_returns_none_for_absent_claims(claim: str) -> None:
    assert locate(claim, TEXT) is None


@given(st.text(), st.text())
def test_located_spans_are_within_the_text(claim: str, text: str) -> None:
    found = locate(claim, text)
    assert found is None or 0 <= found[0] <= found[1] <= len(text)


def test_locate_in_a_megabyte_of_text() -> None:
    assert locate("needle in words", "hay. " * 200_000 + "Needle in words.") is None
    assert locate("needle", "hay. " * 200_000 + "needle") is not None
