import numpy as np
from training.claim_table import WordsAlone, best_overlap, claim_lines
from training.claims import Claim

PASSAGES = ("The bridge is 330 metres long.",)


def _claim(text: str, label: str, kind: str) -> Claim:
    return Claim("a", "w19", "bridges", "en", PASSAGES, "How long?", text, label, kind)  # pyright: ignore[reportArgumentType]


def test_claim_lines_show_earlier_figures_and_overlap() -> None:
    rows = [
        *[_claim("The bridge is 330 metres long.", "yes", "copy")] * 10,
        *[_claim("The bridge is 450 metres long.", "no", "number")] * 9,
    ]
    first, *kinds = claim_lines("claims", rows, WordsAlone(0.5, 0.4))
    assert first == (
        "claims, 19 claims: decided 1.000, right 1.000 [1.000, 1.000], three-way 1.000 [1.000, 1.000]; forced, "
        "balanced accuracy 1.000 [1.000, 1.000]; balanced accuracy by words alone 0.500; overlap, at "
        "its best threshold, 1.000"
    )
    assert kinds == ["  copy                       10: decided   10, right 1.00, three-way 1.00"]


def test_best_overlap_uses_the_best_threshold() -> None:
    assert (
        best_overlap(np.array([1, 1, 0, 0]), [0.9, 0.5, 0.5, 0.1]) == "overlap, at its best threshold, 0.750"
    )
