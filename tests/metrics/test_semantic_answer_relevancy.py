import math
from typing import Any

import numpy as np
import pytest

from ragstone import TestCase
from ragstone.errors import BadOption
from ragstone.judges import ScriptedJudge
from ragstone.metrics import SemanticAnswerRelevancy
from ragstone.prompts import GenerateQuestions

CASE = TestCase(input="What is AI?", actual_output="AI refers to machines mimicking human intelligence.")
COSINES = {"meaning": 0.92, "applications": 0.91, "how": 0.93, "opposite": -1.0}


class PlaneEmbedder:
    """Vectors in the plane whose cosine with the input's is known."""

    name = "plane"

    async def embed(self, texts: list[str]) -> Any:
        cosines = [COSINES.get(text, 1.0) for text in texts]
        return np.array([(c, math.sqrt(1 - c * c)) for c in cosines], dtype=np.float64)


EMBEDDER = f"{__name__}:PlaneEmbedder"


def test_mean_of_three_cosines() -> None:
    answer = {"questions": ["meaning", "applications", "how"], "noncommittal": False}
    judge = ScriptedJudge().respond(GenerateQuestions, answer)
    result = SemanticAnswerRelevancy(embedder=EMBEDDER).measure(CASE, judge)
    assert result.score == pytest.approx(0.92)  # one reference page prints 0.9207
    assert result.usage.calls == 1
    assert result.metadata["cosines"] == pytest.approx([0.92, 0.91, 0.93])


def test_noncommittal_is_zero_and_embeds_nothing() -> None:
    judge = ScriptedJudge().respond(GenerateQuestions, {"questions": [], "noncommittal": True})
    result = SemanticAnswerRelevancy(embedder="no.such:Embedder").measure(CASE, judge)
    assert result.score == 0.0
    assert "noncommittal" in result.reason


def test_a_negative_cosine_counts_as_zero() -> None:
    value = SemanticAnswerRelevancy().score(["q", "r"], [-1.0, 0.5], noncommittal=False).value
    assert value == 0.25


def test_cosine_rounded_above_one_counts_as_one() -> None:
    assert SemanticAnswerRelevancy().score(["q"], [1.0000001], noncommittal=False).value == 1.0


def test_too_few_questions_are_asked_again() -> None:
    few, enough = ({"questions": ["how"] * n, "noncommittal": False} for n in (2, 3))
    judge = ScriptedJudge().respond(GenerateQuestions, [few, enough])
    assert SemanticAnswerRelevancy(embedder=EMBEDDER).measure(CASE, judge).score == pytest.approx(0.93)


def test_zero_questions_option_is_refused() -> None:
    with pytest.raises(BadOption):
        SemanticAnswerRelevancy(questions=0)
