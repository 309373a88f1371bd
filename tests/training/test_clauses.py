"""What the encoder learns from: claims of several clauses."""

import pytest
from training.claims import Claim
from training.clauses import own_groups

PASSAGE = "The zoo opens at nine every day. The aquarium next door closes at six, and dogs must stay outside."


def claim(text: str, label: str) -> Claim:
    return Claim("c", "w01", "zoos", "en", (PASSAGE,), "", text, label, "joined")  # pyright: ignore[reportArgumentType]


def test_own_groups_split_claims_into_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [
        claim("The zoo opens at nine, and the aquarium closes at six.", "yes"),
        claim("The zoo opens at nine, and the aquarium closes at ten.", "no"),
        claim("The zoo opens at nine. The aquarium closes at six.", "yes"),
        claim("Dogs must stay outside.", "yes"),
    ]
    monkeypatch.setattr("training.clauses.claims", lambda: known)
    both, one = own_groups()
    assert (both.supported, one.supported) == (True, False)
    assert [text for text, _ in one.pairs] == ["The zoo opens at nine.", "The aquarium closes at ten."]
    assert {evidence for _, evidence in one.pairs} == {PASSAGE}
