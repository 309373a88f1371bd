from typing import get_args

from ragstone.metrics._claim_matrix import ClaimMatrix
from ragstone.metrics._figures import FIGURES, FigureName


def test_there_are_eleven_and_each_is_a_share_of_something() -> None:
    assert set(FIGURES) == set(get_args(FigureName))
    assert len(FIGURES) == 11
    for figure in FIGURES.values():
        assert figure.counted(ClaimMatrix()).whole == 0
