from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from tests.findings.sample import case, result, run
from tests.testing.for_each import for_each

from ragstone.findings import Report
from ragstone.findings.fingerprint import hash_test_set
from ragstone.findings.gate import GateBaseline, GateDecision, decide
from ragstone.findings.gate.baseline_file import CRITICAL
from ragstone.findings.gate.critical import cases_to_recheck
from ragstone.findings.gate.decision import compare_with_baseline


def report(scores: Sequence[float | None], *, critical: tuple[int, ...] = (), **fields: object) -> Report:
    cases = [
        case(number).model_copy(update={"tags": (CRITICAL,) if number in critical else ()})
        for number in range(len(scores))
    ]
    errors = [{} if score is not None else {"error": "TimedOut: late"} for score in scores]
    return Report(
        run=run(),
        cases=cases,
        results=[
            [result(one, score, **error)] for one, score, error in zip(cases, scores, errors, strict=True)
        ],
        **fields,  # type: ignore[arg-type]
    )


def baseline(scores: Sequence[float | None]) -> GateBaseline:
    found = report(scores)
    return GateBaseline(found, "faq.json", hash_test_set(found.cases))


def gate(before: list[float | None], after: Report, **options: object) -> GateDecision:
    old = baseline(before)
    return decide(old, after, compare_with_baseline(old, after), name="faq", **options)  # type: ignore[arg-type]


STEADY: list[float | None] = [0.9, 0.8, 0.7, 0.95] * 10


def test_the_same_scores_are_green() -> None:
    found = gate(STEADY, report(STEADY))
    assert (found.state, found.exit_code, found.reasons, found.warnings) == ("green", 0, (), ())


def test_a_metric_that_fell_beyond_chance_is_red() -> None:
    found = gate(STEADY, report([0.5, 0.45, 0.4, 0.6] * 10))
    assert (found.state, found.exit_code) == ("red", 1)
    assert found.verdict == "Faithfulness got worse."


@for_each(
    "margin, state, code, finding",
    [
        (None, "red", 1, None),
        (0.02, "red", 1, "Faithfulness: it is not shown that it is not worse by more than 0.02."),
        (0.3, "yellow", 0, "Faithfulness: it got worse, but not by more than 0.3, which the margin allows."),
    ],
)
def test_a_metric_that_fell_within_the_margin_is_not_red(
    margin: float | None, state: str, code: int, finding: str | None
) -> None:
    before, after = baseline([0.9] * 40), report([0.9] * 20 + [0.7] * 20)
    found = decide(before, after, compare_with_baseline(before, after, margin=margin), name="answers")
    assert (found.state, found.exit_code) == (state, code)
    assert finding is None or finding in found.warnings


def test_a_metric_that_is_not_shown_to_be_within_the_margin_exits_3() -> None:
    before, after = baseline([1.0] * 36 + [0.0] * 4), report([1.0] * 34 + [0.0] * 6)
    found = decide(before, after, compare_with_baseline(before, after, margin=0.02), name="answers")
    assert (found.state, found.exit_code) == ("yellow", 3)


def test_one_worse_case_of_forty_is_not_red_unless_it_is_critical() -> None:
    fallen = [0.1, *STEADY[1:]]
    assert gate(STEADY, report(fallen)).state == "green"
    after = report(fallen, critical=(0,))
    more = Report(run=run(), cases=after.cases[:1], results=[[result(after.cases[0], 0.2)]])
    found = gate(STEADY, after, rechecked=more, asked_again=True)
    assert (found.state, found.reasons) == ("red", ("1 critical case broke.",))
    assert (found.broken[0].missed, found.broken[0].measured) == (1, 1)


def test_a_critical_case_that_broke_in_its_one_answer_is_yellow() -> None:
    found = gate(STEADY, report([0.1, *STEADY[1:]], critical=(0,)))
    assert (found.state, found.exit_code, found.reasons) == ("yellow", 3, ())
    assert found.broken[0].confirmed
    assert "1 critical case broke. Only the answers in this run were judged" in found.warnings[0]


@for_each("asked_again", [False, True])
def test_a_critical_case_without_a_score_any_more_is_red(*, asked_again: bool) -> None:
    found = gate([0.9] * 200, report([None, *[0.9] * 199], critical=(0,)), asked_again=asked_again)
    assert found.reasons == ("1 critical case passed before and has no score now.",)
    assert (found.state, found.exit_code, found.broken[0].status) == ("red", 1, "not_measured")


def test_a_critical_case_that_is_gone_is_red() -> None:
    before, after = report(STEADY, critical=(0,)), report(STEADY, critical=(0,))
    after = replace(after, cases=after.cases[1:], results=after.results[1:])
    old = GateBaseline(before, "faq.json", hash_test_set(before.cases))
    found = decide(old, after, compare_with_baseline(old, after), name="faq")
    assert (found.state, found.broken[0].status, found.broken[0].outcome) == ("red", "gone", "is gone")


def test_a_critical_case_measured_at_the_second_attempt_is_not_lost() -> None:
    after = report([None, *STEADY[1:]], critical=(0,))
    assert cases_to_recheck(compare_with_baseline(baseline(STEADY), after)) == {"case-0": ("faithfulness",)}
    repeats = {"repeats": [{"score": 0.9}, {"score": 0.8}]}
    more = Report(run=run(), cases=after.cases[:1], results=[[result(after.cases[0], 0.9, metadata=repeats)]])
    found = gate(STEADY, after, rechecked=more, max_unmeasured=0.1)
    assert (found.reasons, found.broken[0].confirmed) == ((), False)


def test_an_undecided_critical_case_is_yellow() -> None:
    after = report(STEADY, critical=(0,))
    after.results[0] = [result(after.cases[0], 0.7, low=0.3, high=0.9)]  # type: ignore[index]
    found = gate(STEADY, after, asked_again=True)
    assert (found.state, found.exit_code, found.broken[0].status) == ("yellow", 3, "undecided")
    assert "1 critical case passed before and is undecided now." in found.warnings


def test_scores_that_are_skipped_or_have_no_result_any_more_count_as_not_measured() -> None:
    after = report([0.9] * 60)
    after.results[0] = [result(after.cases[0], None, skipped=True)]  # type: ignore[index]
    after.results[1] = []  # type: ignore[index]
    found = gate([0.9] * 60, after)
    assert (found.unmeasured, found.results, found.state) == (2, 60, "red")


@for_each("again, state", [([0.9, 0.8, 0.1], "green"), ([0.2, 0.9, 0.1], "red"), ([0.2, 0.1, 0.1], "red")])
def test_most_measurements_of_a_critical_case_must_fail(again: list[float], state: str) -> None:
    after = report([0.1, *STEADY[1:]], critical=(0,))
    repeats = {"repeats": [{"score": score} for score in again]}
    more = Report(
        run=run(), cases=after.cases[:1], results=[[result(after.cases[0], again[0], metadata=repeats)]]
    )
    found = gate(STEADY, after, rechecked=more, asked_again=True)
    assert found.state == state
    assert found.broken[0].measured == 3


def test_critical_cases_that_broke_are_named_with_their_metrics() -> None:
    after = report([0.1, 0.1, *STEADY[2:]], critical=(1, 2))
    comparison = compare_with_baseline(baseline(STEADY), after)
    assert cases_to_recheck(comparison) == {"case-1": ("faithfulness",)}


def test_critical_case_that_failed_before_is_green() -> None:
    before = [0.1, *STEADY[1:]]
    assert gate(before, report(before, critical=(0,))).state == "green"


@for_each("missing, state", [(1, "yellow"), (2, "red")])
def test_too_many_unmeasured_results_are_red(missing: int, state: str) -> None:
    before: list[float | None] = [0.9] * 60
    found = gate(before, report([None] * missing + before[missing:]))
    assert found.state == state
    if state == "red":
        assert found.reasons == (
            "3 % of the results could not be measured (2 of 60; at most 2 % are accepted).",
        )


def test_rows_that_could_not_be_read_count_as_not_measured() -> None:
    found = gate(STEADY, report(STEADY, rejected=["faq.jsonl, line 3: no JSON"]))
    assert (found.unmeasured, found.results, found.state) == (2, 42, "red")  # of two metrics


def test_an_old_baseline_is_yellow() -> None:
    after = report(STEADY)
    assert gate(STEADY, after, now=after.run.started + timedelta(days=14)).state == "green"
    found = gate(STEADY, after, now=after.run.started + timedelta(days=15))
    assert (found.state, found.exit_code) == ("yellow", 0)
    assert "The baseline is 15 days old" in found.warnings[0]


def test_changed_expected_outputs_are_yellow_but_new_answers_green() -> None:
    after = report(STEADY)
    answered = [one.model_copy(update={"actual_output": "Four."}) for one in after.cases]
    assert gate(STEADY, replace(after, cases=answered)).state == "green"
    asked = [one.model_copy(update={"expected_output": "Four."}) for one in after.cases]
    found = gate(STEADY, replace(after, cases=asked))
    assert found.state == "yellow"
    assert "The test set changed since the baseline" in found.warnings[0]


def test_incomplete_run_exits_3() -> None:
    found = gate(STEADY, report(STEADY[:20], complete=False), max_unmeasured=0.5)
    assert found.exit_code == 3


def test_cases_that_are_gone_count_as_not_measured() -> None:
    found = gate(STEADY, report(STEADY[:36]))
    assert (found.unmeasured, found.results, found.state) == (4, 40, "red")


def test_a_gate_without_common_cases_is_red() -> None:
    other = report([0.9])
    other = replace(other, cases=[other.cases[0].model_copy(update={"id": "x", "input": "?"})])
    found = gate(STEADY, other)
    assert (found.state, found.unmeasured, found.comparison.exit_code) == ("red", 40, 3)


def test_a_good_row_does_not_hide_a_bad_one_with_its_id() -> None:
    after = report([*STEADY, 0.1], critical=(0,))
    after.cases[-1] = after.cases[-1].model_copy(update={"id": "case-0"})  # type: ignore[index]
    found = gate(STEADY, after)
    assert [(case.case_id, case.status) for case in found.broken] == [("case-0", "missed")]


def test_comment_marker_escapes_the_gate_name() -> None:
    found = replace(gate(STEADY, report(STEADY)), name="faq --> <script>")
    first, second = found.to_markdown().splitlines()[:2]
    assert first == "<!-- ragstone:gate:faq-script- -->"
    assert "<script>" not in second


def test_the_json_document_tells_the_decision() -> None:
    after = report([0.1, *STEADY[1:]], critical=(0,))
    text = gate(STEADY, after, rechecked=after, asked_again=True).to_json()
    for part in ('"state": "red"', '"confirmed": true', '"place": "faq.json"', '"exit_code": 1'):
        assert part in text
