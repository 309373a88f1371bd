import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import CitationPrecision
from ragstone.prompts import JudgeCitations

PASSAGES = [
    "The bridge was opened in 1902.",
    "The bridge carries two tracks.",
    "Trams run every ten minutes.",
]


def case(answer: str) -> TestCase:
    return TestCase(input="Tell me of the bridge.", actual_output=answer, retrieval_context=PASSAGES)


def test_citation_precision_of_alce_example() -> None:
    """Sufficient, needed, needed, and one that does not bear on the sentence: 3 of 4."""
    judge = ScriptedJudge().respond(JudgeCitations, decisions("yes", "idk", "idk", "no"))
    answer = "It was opened in 1902 [1]. It was opened in 1902 and carries two tracks [1][2][3]."
    result = CitationPrecision().measure(case(answer), judge)
    assert result.score == 0.75
    assert result.usage.calls == 1
    assert [verdict.passage for verdict in result.verdicts] == [1, 1, 2, 3]
    assert "4| [3] in: It was opened in 1902 and carries two tracks. [1][2][3]" in judge.prompts[0]


@for_each(
    "answer, score",
    [
        ("The bridge was opened in 1902 [1].", 1),  # sufficient
        ("The bridge was opened in 1902 [1][3].", 1 / 2),  # the second is useless
        ("The bridge was opened in 1902, and it carries two tracks [1][2].", 1),  # both are needed
        ("The bridge was opened in 1902, and it carries two tracks [1][2][3].", 2 / 3),
        ("The bridge was opened in 1902, and it carries two tracks [1].", 0),  # the sentence is not supported
        ("The bridge was opened in 1902 [3].", 0),
        ("The bridge was opened in 1902 [1]. Trams run every ten minutes [3][9].", 2 / 3),  # no passage 9
        ("The bridge was opened in 1902 [9].", 0),
    ],
)
def test_embedded_judge_follows_alce_citation_precision(answer: str, score: float) -> None:
    assert CitationPrecision().measure(case(answer), "local").score == pytest.approx(score)


def test_citation_precision_without_markers_is_not_applicable() -> None:
    with pytest.raises(NotApplicable, match="no citation marker"):
        CitationPrecision().measure(case("The bridge was opened in 1902."), "local")


def test_marker_without_passage_scores_zero_without_judge_call() -> None:
    result = CitationPrecision().measure(case("It is red [8]."), ScriptedJudge())
    assert (result.score, result.usage.calls) == (0, 0)
    assert "there is no passage 8" in (result.reason or "")


def test_needed_citation_counts_like_sufficient_one() -> None:
    assert CitationPrecision().score(verdicts("yes", "idk", "no", "no")).value == 0.5
