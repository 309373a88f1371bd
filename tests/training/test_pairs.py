"""What the encoder learns from: pairs that are made of the project's own claims."""

import pytest
from training.claims import Claim
from training.pairs import CLAUSE, LABELS, REMOVED, clause_pairs, removed_pairs

NEAR = "The pool in Harrow Lane opens at six on weekdays."
FAR = "Towels are for hire at the desk."


def claim(number: int, label: str, *passages: str) -> Claim:
    text = "Harrow Lane's pool opens at six."
    return Claim(f"w-{number}", "w", "gym", "en", passages, "When?", text, label, "paraphrase")  # pyright: ignore[reportArgumentType]


def test_removed_pairs_without_the_passage_are_labelled_idk(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [claim(number, "yes", FAR, NEAR) for number in range(200)]
    monkeypatch.setattr("training.pairs.claims", lambda: known)
    made = list(removed_pairs())
    assert 10 < len(made) < 100
    assert {(pair.second, pair.label, pair.kind) for pair in made} == {(FAR, LABELS["idk"], REMOVED)}
    assert made == list(removed_pairs())


@pytest.mark.parametrize(("label", "passages"), [("no", (FAR, NEAR)), ("idk", (FAR, NEAR)), ("yes", (NEAR,))])
def test_removed_pairs_skip_other_labels_and_single_passages(
    label: str, passages: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "training.pairs.claims", lambda: [claim(number, label, *passages) for number in range(50)]
    )
    assert list(removed_pairs()) == []


CONTEXT = (
    "The pool in Harrow Lane (built in 1902) opens at six on weekdays, but the sauna stays closed until noon. "
    "If the water is cold, we also close the pool, and all guests get their money back. Opening hours: 6-20."
)


def test_clause_pairs_are_supported_by_their_context(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [
        claim(number, "no", f"{CONTEXT} Room {number} is on the left side of the hall.")
        for number in range(60)
    ]
    monkeypatch.setattr("training.pairs.claims", lambda: known)
    made = list(clause_pairs())
    assert {(pair.label, pair.kind) for pair in made} == {(LABELS["yes"], CLAUSE)}
    found = {pair.first for pair in made if "Harrow" in pair.first}
    first, aside = "The pool in Harrow Lane", " (built in 1902)"
    rest = " opens at six on weekdays, but the sauna stays closed until noon."
    assert found == {f"{first}{aside}{rest}", f"{first}{rest}", f"{first}{aside} opens at six on weekdays."}
    # what follows a condition is not said without it, and a heading is not a sentence
    assert not any(pair.first == "If the water is cold." or "hours" in pair.first for pair in made)
    assert made == list(clause_pairs())
