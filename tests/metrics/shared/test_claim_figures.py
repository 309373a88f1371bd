from typing import get_args

from ragstone.metrics.shared.claim_figures import FIGURES, FigureName
from ragstone.metrics.shared.claim_matrix import ClaimMatrix


def test_there_are_eleven_and_each_is_a_share_of_something() -> None:
    assert set(FIGURES) == set(get_args(FigureName))
    assert len(FIGURES) == 11
    for figure in FIGURES.values():
        assert figure.counted(ClaimMatrix()).whole == 0
