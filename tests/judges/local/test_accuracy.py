"""The accuracy that reports quote is that of the weights in the package."""

from importlib.resources import files

from ragstone.judges.local.accuracy import EverydayAccuracy, everyday_accuracy
from ragstone.judges.local.model.weights import HASH_FILE


def test_reported_accuracy_belongs_to_the_shipped_weights() -> None:
    """After a training: `python -m training.everyday everyday_dev.jsonl.gz`."""
    known = files("ragstone.judges.local").joinpath(HASH_FILE).read_text(encoding="utf-8").split()[0]
    assert everyday_accuracy().weights == known


def test_the_sentence_names_the_figure_its_interval_and_what_to_use_instead() -> None:
    poor = EverydayAccuracy(172, 15, 0.523, 0.44, 0.601, "x")
    assert not poor.is_sufficient
    assert (
        "right on 52 % of 172 everyday claims (balanced accuracy, 95 %: 44 % to 60 %; chance: 50 %)"
        in poor.sentence()
    )
    assert "--judge" in poor.sentence()
    assert poor._replace(balanced_accuracy=0.7).is_sufficient
