"""The pure `score` functions, case by case: values and the counts in their reasons.

Each test holds a line that a mutation of the code survived before.
"""

import pytest
from tests.testing.for_each import for_each

from ragstone.metrics import (
    AnswerCorrectness,
    ArgumentCorrectness,
    AspectCritique,
    Bleu,
    ContextEntityRecall,
    ContextualRecall,
    ConversationCompleteness,
    ExactMatch,
    FactualCorrectness,
    Groundedness,
    PromptAlignment,
)
from ragstone.prompts.judge_criteria import AspectVerdict
from ragstone.verdict import Verdict

YES, NO = Verdict("right one", "yes"), Verdict("wrong one", "no", "it differs")


@for_each(
    "metric, reason",
    [
        (ArgumentCorrectness(), "2 of 3 tool calls have the right arguments."),
        (ContextualRecall(), "2 of 3 statements of the expected output are supported."),
        (ConversationCompleteness(), "2 of 3 intentions are satisfied."),
        (PromptAlignment(instructions=["Be brief.", "Be kind.", "Be right."]), "2 of 3 instructions"),
    ],
)
def test_reason_counts_yes_verdicts_and_quotes_no_verdicts(
    metric: ArgumentCorrectness | ContextualRecall | ConversationCompleteness | PromptAlignment, reason: str
) -> None:
    score = metric.score([YES, NO, YES])
    assert score.value == pytest.approx(2 / 3)
    assert score.reason is not None
    assert score.reason.startswith(reason)
    assert "wrong one" in score.reason
    assert "right one" not in score.reason


def test_the_entities_that_were_found_are_counted() -> None:
    score = ContextEntityRecall().score(["Paris", "1889", "Eiffel"], ["paris", "eiffel"])
    assert score.reason == "The passages name 2 of 3 entities of the expected output. Missing: 1889."


@for_each("words, value", [(("yes", "yes", "no"), 1.0), (("no", "no", "yes"), 0.0)])
def test_the_majority_of_opinions_decides(words: tuple[str, ...], value: float) -> None:
    opinions = [AspectVerdict.model_validate({"reason": f"says {word}", "verdict": word}) for word in words]
    score = AspectCritique(name="coherence", strictness=3).score(opinions)
    assert (score.value, score.reason) == (value, f"says {words[0]}")


def test_exact_match_says_whether_the_outputs_are_equal() -> None:
    assert ExactMatch().score("Paris", "Paris").reason == "The actual output is the expected output."
    assert ExactMatch().score("Paris", "Rome").reason == "The actual output differs from the expected one."


def test_factual_correctness_names_the_side_that_its_mode_uses() -> None:
    said, wanted = [YES, NO, YES], [YES, NO]
    precision = FactualCorrectness(mode="precision").score(said, wanted).reason or ""
    recall = FactualCorrectness(mode="recall").score(said, wanted).reason or ""
    assert precision.startswith("2 of 3 claims are right.")
    assert recall.startswith("1 of 2 expected claims are covered.")
    assert "covered" not in precision
    assert "claims are right" not in recall


def test_factual_correctness_with_ragas_compat_rounds_to_two_digits() -> None:
    value = FactualCorrectness(mode="precision", compat="ragas").score([YES, NO, YES], [YES]).value
    assert value == round(2 / 3, 2)


def test_groundedness_without_a_statement_keeps_its_scale() -> None:
    assert Groundedness().score([]).metadata["scale"] == [0, 3]


def test_answer_correctness_without_claims_has_f_score_one() -> None:
    score = AnswerCorrectness().score([], [], 0.5)
    first, second = AnswerCorrectness().weights
    assert score.value == pytest.approx((first * 1.0 + second * 0.5) / (first + second))
    assert score.metadata["f_score"] == 1.0


def test_bleu_with_ragas_compat_is_between_zero_and_one() -> None:
    pytest.importorskip("sacrebleu")
    value = Bleu(compat="ragas").score("the cat sat on a mat today", "the cat sat on the mat yesterday").value
    assert 0.0 < value < 1.0


def test_a_similarity_above_1_by_rounding_counts_as_1() -> None:
    assert AnswerCorrectness().score([YES], [YES], 1.5).value == 1.0
