from typing import get_args

from ragstone.metrics.shared.claim_figures import FIGURES, FigureName
from ragstone.metrics.shared.claim_matrix import ClaimMatrix


def test_all_eleven_figures_count_nothing_in_empty_matrix() -> None:
    assert set(FIGURES) == set(get_args(FigureName))
    assert len(FIGURES) == 11
    for figure in FIGURES.values():
        assert figure.counted(ClaimMatrix()).whole == 0
