"""Planted faults and found causes: what `python -m benchmarks.causes` prints, with fewer cases."""

from benchmarks.causes.confusion import measure
from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.world import SWITCHES, WORDINGS, Fact, read
from tests.testing.for_each import for_each


@for_each("reworded", [False, True])
def test_a_perfect_judge_finds_every_planted_fault(*, reworded: bool) -> None:
    found = measure(PerfectJudge(), 5, reworded=reworded)
    assert found.macro_recall == 1.0
    assert set(found.planted) == {cause for _, cause in SWITCHES.values()}


def test_the_embedded_judge_finds_most_faults_in_the_passages_own_words() -> None:
    found = measure("local", 4, reworded=False)
    assert found.macro_recall >= 0.85
    assert found.recall("misread") == found.recall("cut") == found.recall("passed") == 1.0


def test_fact_round_trips_through_every_wording() -> None:
    values = {
        "opened": "1902",
        "designer": "Ada Berg",
        "length": "120",
        "toll": "4",
        "funding": "lottery",
        "lamps": "12",
    }
    for attribute, wordings in WORDINGS.items():
        for wording in range(len(wordings)):
            fact = Fact("Harlow", attribute, values[attribute])
            assert read(f"So: {fact.text(wording)} Indeed.") == (fact,)
