import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, confusion_matrix, precision_recall_fscore_support

from ragstone.stats import agree_on_categories

NAMES = ["answered", "partly", "refused"]


def test_matrix_and_rates_equal_scikit_learn() -> None:
    rng = np.random.default_rng(4)
    people = rng.choice(NAMES, 120, p=[0.6, 0.1, 0.3]).tolist()
    judge = [rng.choice(NAMES) if rng.random() < 0.25 else label for label in people]
    found = agree_on_categories(people, judge, NAMES, resamples=200)
    assert np.array_equal(found.table, confusion_matrix(people, judge, labels=NAMES))
    precision, recall, _, _ = precision_recall_fscore_support(people, judge, labels=NAMES)
    assert [each.precision.value for each in found.labels] == pytest.approx(precision)
    assert [each.recall.value for each in found.labels] == pytest.approx(recall)
    assert found.kappa.value == pytest.approx(cohen_kappa_score(people, judge))
    for each in (found.kappa, found.alpha, found.accuracy, *(label.recall for label in found.labels)):
        assert each.value is not None
        assert each.interval is not None
        assert each.value in each.interval


def test_label_that_nobody_gave_has_no_rates() -> None:
    found = agree_on_categories(["answered"] * 12, ["answered"] * 11 + ["refused"], NAMES, resamples=50)
    assert found.labels[1].precision.value is found.labels[1].recall.value is None
    assert (found.labels[2].precision.value, found.labels[2].recall.value) == (0.0, None)


def test_labels_outside_the_categories_are_refused() -> None:
    with pytest.raises(ValueError, match="not in categories"):
        agree_on_categories(["maybe"], ["answered"], NAMES)
