import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.judges.local.model.decision import Measured, decide, summary

values = st.floats(-20, 20)


@given(st.builds(Measured, values, values, values, values, values))
def test_the_chances_of_the_three_verdicts_are_one_together(found: Measured) -> None:
    chances = decide(found)
    assert sum(chances) == pytest.approx(1)
    assert min(chances) >= 0


@given(st.builds(Measured, values, values, values, values, values), st.floats(0, 10))
def test_more_of_what_speaks_for_a_verdict_never_makes_it_less_likely(found: Measured, more: float) -> None:
    before = decide(found)
    for field in ("words", "supported"):
        assert decide(found._replace(**{field: getattr(found, field) + more})).supported >= before.supported
    assert decide(found._replace(contradicted=found.contradicted + more)).supported <= before.supported
    assert decide(found._replace(conflict=found.conflict + more)).contradicted >= before.contradicted


def test_the_sentence_that_is_doubted_most_decides() -> None:
    sure, doubtful = (-4.0, -4.0, 4.0), (3.0, -2.0, -1.0)
    alone, together = summary([doubtful]), summary([sure, doubtful])
    assert together == alone
    supported, contradicted, silent = alone
    assert supported < 0 < contradicted
    assert silent < 0
