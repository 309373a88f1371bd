import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import CitationRecall
from ragstone.prompts import JudgeCitedSentences

PASSAGES = [
    "The bridge was opened in 1902.",
    "It is 330 metres long and carries two tracks.",
    "Trams run every ten minutes.",
]
ANSWER = (
    "The bridge was opened in 1902 [1]. It is 330 metres long [3]. Trams run every ten minutes. What else?"
)
CASE = TestCase(input="Tell me of the bridge.", actual_output=ANSWER, retrieval_context=PASSAGES)


def test_citation_recall_of_alce_example() -> None:
    """Of four sentences one cites right, one wrong, one not at all, and one claims nothing: 1 of 3."""
    judge = ScriptedJudge().respond(JudgeCitedSentences, decisions("yes", "no", "no", "idk"))
    result = CitationRecall().measure(CASE, judge)
    assert result.score == pytest.approx(1 / 3)
    assert result.usage.calls == 1
    assert "1 of 3 sentences" in (result.reason or "")
    assert "2| It is 330 metres long. [3]" in judge.prompts[0]


def test_the_embedded_judge_measures_the_same() -> None:
    assert CitationRecall().measure(CASE, "local").score == pytest.approx(1 / 3)


def test_two_passages_together_support_a_sentence() -> None:
    case = CASE.model_copy(
        update={"actual_output": "The bridge was opened in 1902, and it carries two tracks [1][2]."}
    )
    assert CitationRecall().measure(case, "local").score == 1
    alone = case.model_copy(update={"actual_output": case.text("actual_output").replace("[2]", "")})
    assert CitationRecall().measure(alone, "local").score == 0


@for_each("answer", ["It is 330 metres long.", "It is 330 metres long [4]."])
def test_sentence_citing_no_passage_is_unsupported_despite_yes_verdict(answer: str) -> None:
    judge = ScriptedJudge().respond(JudgeCitedSentences, decisions("yes"))
    result = CitationRecall().measure(CASE.model_copy(update={"actual_output": answer}), judge)
    assert result.score == 0
    assert "it cites no passage" in (result.reason or "")


def test_sentences_without_claims_need_no_citation() -> None:
    assert CitationRecall().score(verdicts("idk", "idk")).value == 1
    assert CitationRecall().measure(CASE.model_copy(update={"actual_output": "Hello!"}), "local").score == 1


def test_more_than_twenty_sentences_are_asked_in_batches() -> None:
    long = " ".join("The bridge was opened in 1902 [1]." for _ in range(25))
    judge = ScriptedJudge().respond(JudgeCitedSentences, [decisions(*["yes"] * 20), decisions(*["no"] * 5)])
    assert CitationRecall().measure(CASE.model_copy(update={"actual_output": long}), judge).score == 0.8
