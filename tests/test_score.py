"""Undecided verdicts widen the bounds of a score; its value rests on the decided ones."""

import itertools
from collections.abc import Callable, Sequence

from ragstone.metrics import (
    AnswerCorrectness,
    AnsweredParts,
    AnswerRelevancy,
    Bias,
    CitationPrecision,
    CitationRecall,
    ContextualPrecision,
    ContextualRecall,
    ContextualRelevancy,
    FactualCorrectness,
    Faithfulness,
    Hallucination,
    SummarizationScore,
    Toxicity,
)
from ragstone.score import Score
from ragstone.verdict import Verdict, VerdictValue
from tests.testing.for_each import for_each

WORDS: tuple[VerdictValue, ...] = ("yes", "no", "idk")
FIXED = (Verdict("w1", "yes"), Verdict("w2", "no"))
SCORES: dict[str, Callable[[Sequence[Verdict]], Score]] = {
    "answer_relevancy": AnswerRelevancy().score,
    "answered_parts": AnsweredParts().score,
    "bias": Bias().score,
    "citation_precision": CitationPrecision().score,
    "citation_recall": CitationRecall().score,
    "contextual_precision": ContextualPrecision().score,
    "contextual_recall": ContextualRecall().score,
    "contextual_relevancy": ContextualRelevancy().score,
    "faithfulness": Faithfulness().score,
    "faithfulness, strict": Faithfulness(penalize_ambiguous_claims=True).score,
    "hallucination": Hallucination().score,
    "toxicity": Toxicity().score,
    "summarization_score": lambda verdicts: SummarizationScore().score(verdicts, 10, 100),
    "answer_correctness": lambda verdicts: AnswerCorrectness(weights=(1, 0)).score(verdicts, FIXED, 0.0),
    "factual_correctness": lambda verdicts: FactualCorrectness().score(verdicts, FIXED),
}


def verdicts(words: Sequence[VerdictValue]) -> list[Verdict]:
    return [Verdict(f"claim {number}", word, "why") for number, word in enumerate(words)]


@for_each("name", SCORES)
def test_bounds_hold_every_score_that_the_undecided_verdicts_allow(name: str) -> None:
    score = SCORES[name]
    for words in itertools.product(WORDS, repeat=4):
        whole = score(verdicts(words))
        assert whole.bounds == (whole.value, whole.value)
        for hidden in (1, 2, 5, 15):
            masked: list[VerdictValue] = [
                "undecided" if hidden >> place & 1 else word for place, word in enumerate(words)
            ]
            found = score(verdicts(masked))
            low, high = found.bounds
            assert low - 1e-12 <= whole.value <= high + 1e-12, (words, masked, found)  # type: ignore[operator]
            assert found.metadata["verdicts"][0]["verdict"] == masked[0]
            if hidden == 15:
                assert found.value is None
            else:
                kept: list[VerdictValue] = [word for word in masked if word != "undecided"]
                assert found.value == score(verdicts(kept)).value


def test_reason_names_how_many_are_undecided_and_why() -> None:
    found = Faithfulness().score([Verdict("a", "yes"), Verdict("b", "undecided", "not read: script")])
    assert found.value == 1.0
    assert found.bounds == (0.5, 1.0)
    assert found.reason.endswith("1 of 2 verdicts are undecided: not read: script.")


def test_score_that_the_undecided_verdicts_cannot_change_is_decided() -> None:
    assert Score(None, "r", low=0.0, high=0.0).value == 0.0
    assert Score(None, "r", low=0.0, high=0.5).value is None
    assert Score(None, "r").value is None
