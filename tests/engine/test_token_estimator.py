import pytest

from ragstone.engine.token_estimator import TokenEstimator
from ragstone.judges.base import Judge
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.result import Usage

PROMPT = JudgeClaims(evidence_texts=("e" * 400,), claims=("c" * 400,), source=("not rendered" * 1000,))


def test_estimate_by_length_is_corrected_by_usage() -> None:
    forecast = TokenEstimator()
    assert forecast.of(PROMPT) == 800
    for _ in range(5):
        forecast.learn(PROMPT, Usage(calls=2, input_tokens=600, output_tokens=100))
    assert forecast.of(PROMPT) == pytest.approx(350, abs=2)
    assert forecast.of(ExtractClaims(text="t" * 40)) == 610
    forecast.learn(PROMPT, Usage())
    assert forecast.of(PROMPT) == pytest.approx(350, abs=2)


def test_price_is_estimated_only_for_judges_with_prices() -> None:
    class Priced(Judge):
        def price(self, usage: Usage) -> float:
            return usage.input_tokens + 1000.0 * usage.output_tokens

    assert TokenEstimator().price(PROMPT, Priced()) == 600 + 200_000
    assert TokenEstimator().price(PROMPT, Judge()) == 0
