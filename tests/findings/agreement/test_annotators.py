import random

import numpy as np
import pytest
from tests.testing.for_each import for_each

from ragstone.findings.agreement.human_labels import alpha_of_two, annotator_agreement
from ragstone.stats.kappa import krippendorff_alpha


@for_each("seed", range(5))
def test_alpha_of_two_is_krippendorffs(seed: int) -> None:
    draw = random.Random(seed)
    binary = np.array([[float(draw.random() < 0.6), float(draw.random() < 0.5)] for _ in range(40)])
    graded = np.array([[draw.randint(1, 5), draw.randint(1, 5)] for _ in range(40)], dtype=float)
    for table, scale in ((binary, "nominal"), (graded, "interval")):
        expected = krippendorff_alpha(table.tolist(), scale)  # type: ignore[arg-type]
        assert alpha_of_two(table[:, 0], table[:, 1]) == pytest.approx(expected, abs=1e-12)


def test_alpha_of_two_is_nan_for_constant_ratings() -> None:
    assert np.isnan(alpha_of_two(np.ones(3), np.ones(3)))


def test_annotator_agreement_with_and_without_gaps() -> None:
    whole = annotator_agreement([(1, 1), (0, 0), (1, 0), None, (1, 1), (0, 0)] * 5, "nominal")
    assert whole is not None
    assert whole.n == 25
    assert whole.fleiss is not None
    assert whole.alpha.value == pytest.approx(
        krippendorff_alpha([[1, 1], [0, 0], [1, 0], [1, 1], [0, 0]] * 5)
    )
    gaps = annotator_agreement([(1, 1, None), (0, 0, 1), (1, 0, None)], "nominal")
    assert gaps is not None
    assert gaps.fleiss is None
    assert annotator_agreement([(1,), None, (None, 0)], "nominal") is None
