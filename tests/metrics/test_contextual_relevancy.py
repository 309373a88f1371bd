import pytest

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ContextualRelevancy
from ragstone.prompts import JudgePassages
from ragstone.verdict import Verdict, VerdictValue

CASE = TestCase(
    input="What is AI?",
    retrieval_context=["chips", "market share", "human intelligence", "NLP", "machine learning"],
)
ELEVEN = {
    "verdicts": [
        {"passage": passage, "statement": f"statement {n} of {passage}", "reason": None, "verdict": word}
        for passage, count, word in [(1, 1, "no"), (2, 1, "no"), (3, 3, "yes"), (4, 3, "yes"), (5, 3, "yes")]
        for n in range(count)
    ]
}


def test_nine_of_eleven_statements_relevant_is_nine_elevenths() -> None:
    result = ContextualRelevancy().measure(CASE, ScriptedJudge().respond(JudgePassages, ELEVEN))
    assert result.score == pytest.approx(9 / 11)
    assert result.usage.calls == 1
    assert "9 of 11" in result.reason
    assert "statement 0 of 1" in result.reason


def test_every_passage_must_have_a_verdict() -> None:
    without = {"verdicts": [item for item in ELEVEN["verdicts"] if item["passage"] != 4]}
    judge = ScriptedJudge().respond(JudgePassages, [without, ELEVEN])
    assert ContextualRelevancy().measure(CASE, judge).score == pytest.approx(9 / 11)
    assert "No statement of passage 4" in judge.prompts[1]


def test_per_passage_asks_once_a_passage_and_numbers_them() -> None:
    one = {"verdicts": [{"passage": 1, "statement": "s", "reason": None, "verdict": "yes"}]}
    judge = ScriptedJudge().respond(JudgePassages, one)
    result = ContextualRelevancy(per_passage=True).measure(CASE, judge)
    assert result.usage.calls == 5
    assert [verdict["passage"] for verdict in result.metadata["verdicts"]] == [1, 2, 3, 4, 5]


def test_undecided_is_not_relevant_in_score_nor_in_reason() -> None:
    """The embedded judge may be undecided; a language model is not offered it."""
    words: list[VerdictValue] = ["idk", "yes", "yes", "yes", "yes"]
    result = ContextualRelevancy().score([Verdict(f"s{n}", word) for n, word in enumerate(words, 1)])
    assert result.value == 0.8
    assert "“s1”" in result.reason
