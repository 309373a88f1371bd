import numpy as np
import pytest
from tests.testing.for_each import for_each

from ragstone.judges.local.model import weights
from ragstone.judges.local.model.weights import Forest, line_probability, scorer


def test_a_forest_walks_each_tree_to_its_leaf() -> None:
    forest = Forest(
        feature=np.array([[0, 0, 0], [1, 0, 0]]),
        bound=np.array([[0.5, 0.0, 0.0], [2.0, 0.0, 0.0]]),
        left=np.array([[1, 1, 2], [1, 1, 2]]),
        right=np.array([[2, 1, 2], [2, 1, 2]]),
        value=np.array([[0.0, -1.0, 1.0], [0.0, 10.0, 20.0]]),
        depth=1,
    )
    assert forest.score(np.array([0.5, 3.0])) == -1 + 20
    assert forest.score(np.array([0.6, 1.0])) == 1 + 10


def test_the_shipped_scorer_scores_features() -> None:
    model = scorer("correctness")
    assert np.isfinite(model.score(np.zeros(len(model.slopes))))


@for_each("task", ["relevance", "correctness"])
def test_chance_is_monotone_in_words_and_encoder_output(task: str) -> None:
    grid = [
        [line_probability(task, words, read) for read in (-9, -2, 0, 2, 9)] for words in (-4.0, 0.0, 0.5, 4.0)
    ]
    assert (np.diff(grid, axis=0) >= 0).all()
    assert (np.diff(grid, axis=1) >= 0).all()
    assert grid[0][0] < 0.5 < grid[-1][-1]


def test_damaged_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "FILE", "weights.sha256")
    weights._arrays.cache_clear()
    with pytest.raises(ValueError, match="install ragstone again"):
        weights._arrays()
    weights._arrays.cache_clear()
