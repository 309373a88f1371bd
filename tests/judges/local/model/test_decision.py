import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.judges.local.model.decision import (
    BANDS,
    StatementScores,
    VerdictProbabilities,
    decide,
    probabilities,
    summarise_outputs,
)

SCORES = st.builds(StatementScores, *[st.floats(-20, 20)] * len(StatementScores._fields))


@given(SCORES, st.booleans())
def test_chances_of_the_three_verdicts_sum_to_one(found: StatementScores, short: bool) -> None:  # noqa: FBT001
    chances = probabilities(found, short=short)
    assert sum(chances) == pytest.approx(1)
    assert min(chances) >= 0


@given(SCORES, st.floats(0, 10), st.booleans())
def test_chances_are_monotone_in_the_scores(
    found: StatementScores,
    more: float,
    short: bool,  # noqa: FBT001
) -> None:
    before = probabilities(found, short=short)

    def after(field: str) -> VerdictProbabilities:
        return probabilities(found._replace(**{field: getattr(found, field) + more}), short=short)

    assert after("supported").supported >= before.supported
    assert after("clause_supported").supported >= before.supported
    assert after("contradicted").supported <= before.supported
    assert after("clause_not_mentioned").contradicted <= before.contradicted


SURE, DOUBTFUL = (-4.0, -4.0, 4.0), (3.0, -2.0, -1.0)


def test_summary_takes_the_most_doubtful_sentence() -> None:
    alone, together = (
        summarise_outputs([DOUBTFUL], [DOUBTFUL]),
        summarise_outputs([SURE, DOUBTFUL], [SURE, DOUBTFUL]),
    )
    assert together == alone
    supported, contradicted, silent, *of_clauses = alone
    assert supported < 0 < contradicted
    assert silent < 0
    assert of_clauses == [supported, silent]


def test_summary_scores_clauses_apart_from_sentences() -> None:
    *_, supported, silent = summarise_outputs([SURE], [SURE, DOUBTFUL])
    assert (supported, silent) == summarise_outputs([DOUBTFUL], [DOUBTFUL])[3:]
    assert summarise_outputs([SURE], [SURE, DOUBTFUL])[:3] == summarise_outputs([SURE], [SURE])[:3]


@for_each("short", [True, False])
def test_verdict_is_undecided_outside_of_the_bands(short: bool) -> None:  # noqa: FBT001
    band = BANDS["short" if short else "long"]
    assert decide(VerdictProbabilities(0.0, 0.0, 1.0), short=short) == "yes"
    assert decide(VerdictProbabilities(1.0, 0.0, 0.0), short=short) == "no"
    assert decide(VerdictProbabilities(0.0, 1.0, 0.0), short=short) == "idk"
    assert decide(VerdictProbabilities(0.25, 0.25, 0.5), short=short) == "undecided"
    supported = band.supported - 0.01
    assert decide(VerdictProbabilities(1 - supported, 0.0, supported), short=short) == "undecided"
