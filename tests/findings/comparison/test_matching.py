from tests.findings.sample import run

from ragstone import Report, TestCase, evaluate
from ragstone.findings.comparison import RunScores
from ragstone.findings.comparison.run_scores import MatchedCases, match_cases, match_metrics


def case(question: str, **fields: str) -> TestCase:
    return TestCase(input=question, **fields)  # type: ignore[arg-type]


def matched(before: list[TestCase], after: list[TestCase]) -> MatchedCases:
    both = (Report(run=run(), cases=cases, results=[[] for _ in cases]) for cases in (before, after))
    return match_cases(*map(RunScores.of, both))


def test_cases_are_matched_by_id_in_any_order() -> None:
    one, two, three = (case(str(n), id=f"c{n}") for n in range(3))
    found = matched([one, two], [three, two])
    assert (found.pairs, found.only_before, found.only_after) == (((1, 1),), (0,), (0,))


def test_cases_with_changed_answers_are_matched_by_input() -> None:
    before = [case("q1", actual_output="old"), case("q2", actual_output="same")]
    after = [case("q2", actual_output="same"), case(" q1 ", actual_output="new")]
    found = matched(before, after)
    assert found.pairs == ((0, 1), (1, 0))
    assert found.by_question == 1


def test_repeated_input_is_not_matched_by_input() -> None:
    before = [case("q", actual_output="a"), case("q", actual_output="b")]
    after = [case("q", actual_output="c")]
    assert matched(before, after).pairs == ()


def test_the_same_case_twice_is_matched_twice() -> None:
    same = case("q")
    assert matched([same, same], [same, same, same]).pairs == ((0, 0), (1, 1))


def test_metrics_are_matched_by_spec_and_then_without_their_threshold() -> None:
    data = [{"input": "q", "actual_output": "a", "expected_output": "a", "retrieval_context": ["a"]}]
    before = evaluate(data, ["faithfulness", "exact_match", "faithfulness(penalize_ambiguous_claims=False)"])
    after = evaluate(
        data,
        [
            "faithfulness(threshold=0.9)",
            "faithfulness(threshold=0.7, penalize_ambiguous_claims=False)",
            "answer_relevancy",
        ],
    )
    paired, gone, come = match_metrics(RunScores.of(before).metrics, RunScores.of(after).metrics)
    assert [one for one, _ in paired] == ["faithfulness", "faithfulness(penalize_ambiguous_claims=False)"]
    assert gone == ["exact_match"]
    assert come == ["answer_relevancy"]
