import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.findings.view.locations import locate

TEXT = "The fee is 3.5 percent. It is\n due  in March! Nobody pays twice."


@pytest.mark.parametrize(
    ("claim", "words", "exact"),
    [
        ("The fee is 3.5 percent.", "The fee is 3.5 percent.", True),
        ("it is due in march", "It is\n due  in March", True),
        ("The fee: 3.5 percent", "The fee is 3.5 percent.", False),
        ("Nobody ever pays twice", "Nobody pays twice.", False),
    ],
)
def test_a_claim_is_found_where_it_stands(claim: str, words: str, exact: object) -> None:
    found = locate(claim, TEXT)
    assert found is not None
    assert (TEXT[found.start : found.end], found.exact) == (words, exact)


@pytest.mark.parametrize("claim", ["The moon is made of cheese", "…", "zebra " * 1000])
def test_locate_returns_none_for_absent_claims(claim: str) -> None:
    assert locate(claim, TEXT) is None


@given(st.text(), st.text())
def test_located_spans_are_within_the_text(claim: str, text: str) -> None:
    found = locate(claim, text)
    assert found is None or 0 <= found.start <= found.end <= len(text)


def test_locate_in_a_megabyte_of_text() -> None:
    assert locate("needle in words", "hay. " * 200_000 + "Needle in words.") is None
    assert locate("needle", "hay. " * 200_000 + "needle") is not None
