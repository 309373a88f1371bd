from collections import Counter
from typing import Any

from tests.findings.sample import result
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.findings.view.headline import case_parts, sureness


def counts(passed: int = 0, missed: int = 0, undecided: int = 0) -> Counter[Any]:
    return Counter(passed=passed, missed=missed, undecided=undecided)


@for_each(
    "answers, contexts, sentence",
    [
        (
            counts(47, 9, 4),
            counts(49, 11),
            "9 of 60 answers do not hold; in 11 cases the passages lack what is needed; 4 undecided",
        ),
        (
            counts(9, 1),
            counts(9, 1),
            "1 of 10 answers does not hold; in 1 case the passages lack what is needed",
        ),
        (counts(60), counts(60), "all 60 answers hold; the passages hold what is needed in every case"),
        (counts(1), counts(), "the answer holds"),
        (
            counts(0, 2, 58),
            counts(3, 0, 57),
            "2 of 60 answers do not hold; 58 answers and 57 contexts undecided",
        ),
        (counts(), counts(2, 1, 1), "in 1 case the passages lack what is needed; 1 context undecided"),
    ],
)
def test_sentence_speaks_of_cases(answers: Any, contexts: Any, sentence: str) -> None:
    found = {
        "faithfulness": counts(1, 1),
        "answer_acceptance": answers,
        "context_sufficiency": contexts,
        "context_sufficiency(k=2)": counts(0, 60),
    }
    parts = list(case_parts(found))
    assert "; ".join(part.text for part in parts) == sentence
    assert all(part.spec in found for part in parts if part.spec)


def test_run_without_review_has_no_sentence() -> None:
    assert not list(case_parts({"faithfulness": counts(1, 1)}))


def test_sureness_is_the_probability_that_the_answer_does_not_hold() -> None:
    case = TestCase(input="q")
    missed = [
        result(case, 0.0, spec="answer_acceptance", threshold=1.0, metadata=metadata)
        for metadata in ({"probability": 0.1, "faults": [{}, {}]}, {"probability": None}, {"faults": "x"})
    ]
    assert [sureness([one]) for one in missed] == [(0.9, 2), (1.0, 0), (1.0, 0)]
    assert sureness([result(case, 1.0, spec="answer_acceptance", threshold=1.0)]) == (0.0, 0)
