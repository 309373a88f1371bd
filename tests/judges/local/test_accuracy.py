"""The accuracy that reports quote is that of the weights in the package."""

from importlib.resources import files

from ragstone.judges.local.accuracy import EverydayAccuracy, everyday_accuracy
from ragstone.judges.local.model.weights import HASH_FILE


def test_reported_accuracy_belongs_to_the_shipped_weights() -> None:
    """After a training: `python -m training.everyday everyday_dev.jsonl.gz`."""
    known = files("ragstone.judges.local").joinpath(HASH_FILE).read_text(encoding="utf-8").split()[0]
    assert everyday_accuracy().weights == known


def test_the_sentence_names_coverage_accuracy_and_what_to_use_instead() -> None:
    poor = EverydayAccuracy(172, 15, 0.61, 0.8, 0.71, 0.88, "x")
    assert not poor.is_sufficient
    assert (
        "decides 61 % of 172 everyday claims; where it decides, it is right 80 % of the time (95 %: 71 % to 88 %)"
        in poor.sentence()
    )
    assert "--judge" in poor.sentence()
    assert poor._replace(accuracy=0.92).is_sufficient
