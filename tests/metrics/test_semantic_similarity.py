import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnknownName
from ragstone.judges import ScriptedJudge
from ragstone.metrics import SemanticSimilarity

CASE = TestCase(input="q", actual_output="cat", expected_output="dog")


class Encoder:
    def __init__(self, value: float) -> None:
        self.value = value

    def predict(self, pairs: list[tuple[str, str]]) -> list[float]:
        assert pairs == [("cat", "dog")]
        return [self.value]


good, bad = Encoder(0.75), Encoder(1.5)


def test_equal_texts_are_one_and_others_less() -> None:
    same = TestCase(input="q", actual_output="The cat sleeps.", expected_output="The cat sleeps.")
    other = TestCase(input="q", actual_output="The cat sleeps.", expected_output="Interest rates rose.")
    metric = SemanticSimilarity()
    assert metric.measure(same, ScriptedJudge()).score == pytest.approx(1, abs=1e-6)
    assert metric.measure(other, ScriptedJudge()).score < 0.6


def test_custom_cross_encoder_gives_the_score() -> None:
    result = SemanticSimilarity(cross_encoder=f"{__name__}:good").measure(CASE, ScriptedJudge())
    assert result.score == 0.75
    assert result.metadata["by"].endswith(":good")


def test_a_cross_encoder_off_the_scale_is_refused() -> None:
    with pytest.raises(BadOption, match="sigmoid"):
        SemanticSimilarity(cross_encoder=f"{__name__}:bad").measure(CASE, ScriptedJudge())


def test_a_cross_encoder_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownName, match="nowhere"):
        SemanticSimilarity(cross_encoder="nowhere:encoder").measure(CASE, ScriptedJudge())


@for_each("similarity, score", [(0.7, 1.0), (0.7 - 1e-12, 1.0), (0.69, 0.0), (-1.0, 0.0)])
def test_binary_score_is_one_from_the_threshold_on(similarity: float, score: float) -> None:
    assert SemanticSimilarity(binary=True, threshold=0.7).score(similarity).value == score


def test_a_negative_cosine_counts_as_zero() -> None:
    assert SemanticSimilarity().score(-0.4).value == 0.0
