import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.testing.for_each import for_each

from ragstone import Report, TestCase, aevaluate, evaluate
from ragstone.errors import BadDataset, BadOption, MissingField, UnknownName
from ragstone.event import Event, JudgeCalled
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerRelevancy, ExactMatch, Faithfulness
from ragstone.prompts import ExtractStatements, JudgeStatements

CASES = [
    {"input": "2 + 2?", "actual_output": "4", "expected_output": "4"},
    {"input": "Capital of France?", "actual_output": "Lyon", "expected_output": "Paris"},
]


def test_report_results_are_one_list_per_case_in_order() -> None:
    report = evaluate(CASES, ["exact_match", ExactMatch(case_sensitive=False)])
    assert isinstance(report, Report)
    assert [[result.score for result in results] for results in report.results] == [[1.0, 1.0], [0.0, 0.0]]
    assert [result.spec for result in report.results[0]] == [
        "exact_match",
        "exact_match(case_sensitive=False)",
    ]
    assert [case.input for case in report.cases] == ["2 + 2?", "Capital of France?"]
    assert report.exit_code == 1


def test_defaults_are_rag_preset_and_local_judge() -> None:
    report = evaluate([{"input": "q?", "actual_output": "An answer.", "retrieval_context": ["An answer."]}])
    assert report.run.plan.judge == "local"
    assert [result.metric for result in report.results[0]] == [
        "AnswerAcceptance",
        "ContextSufficiency",
        "Faithfulness",
        "AnswerRelevancy",
        "ContextualRelevancy",
    ]
    assert len(report.run.notes) == 3
    assert "AnswerAccuracy is left out: it needs expected_output" in report.run.notes[0]


def test_dataset_path_is_read_and_bad_lines_rejected(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(f"{json.dumps(case)}\n" for case in CASES) + "{broken\n")
    report = evaluate(path, "exact_match")
    assert len(report.results) == 2
    assert "line 3" in report.rejected[0]
    assert report.exit_code == 3
    assert len(evaluate(path, "exact_match", limit=1).results) == 1


def test_an_iterator_is_read_once() -> None:
    def cases() -> Iterator[TestCase]:
        for case in CASES:
            yield TestCase.model_validate(case)

    assert len(evaluate(cases(), "exact_match").results) == 2


def test_evaluate_works_inside_a_running_event_loop() -> None:
    async def notebook() -> Report:
        return evaluate(CASES, "exact_match")

    assert len(asyncio.run(notebook()).results) == 2


def test_concurrent_aevaluate_calls_keep_separate_reports() -> None:
    async def both() -> list[Report]:
        return list(
            await asyncio.gather(
                aevaluate(CASES * 20, "exact_match"), aevaluate(CASES[:1], ["exact_match"], concurrency=1)
            )
        )

    many, one = asyncio.run(both())
    assert (len(many.results), len(one.results)) == (40, 1)
    assert many.run.id != one.run.id


def test_listeners_hear_every_event() -> None:
    heard: list[Event] = []
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": ["s"]})
    judge.respond(JudgeStatements, {"verdicts": [{"verdict": "yes"}]})
    evaluate(CASES[:1], [AnswerRelevancy()], judge=judge, listeners=[heard.append])
    assert sum(isinstance(event, JudgeCalled) for event in heard) == 2


@for_each(
    "data, metrics, error, message",
    [
        (CASES, "exact_mach", UnknownName, "Did you mean 'exact_match'"),
        (CASES, "exact_match(foo=1)", BadOption, "no option of exact_match named 'foo'"),
        (CASES, [ExactMatch], BadOption, r"write ExactMatch\(\)"),
        (CASES, [3], BadOption, "3 is not a metric"),
        (
            CASES,
            "faithfulness",
            MissingField,
            "Faithfulness needs 'retrieval_context': not given by any of the 2",
        ),
        ([], "exact_match", BadDataset, "contains no rows"),
        ("no/such/file.jsonl", "exact_match", BadDataset, "no/such/file.jsonl"),
    ],
)
def test_invalid_arguments_raise_before_any_judge_call(
    data: object, metrics: object, error: type[Exception], message: str
) -> None:
    judge = ScriptedJudge()
    with pytest.raises(error, match=message):
        evaluate(data, metrics, judge=judge)  # type: ignore[arg-type]
    assert judge.prompts == []


def test_on_missing_error_skip_and_raise() -> None:
    mixed = [
        {"input": "q", "actual_output": "a", "retrieval_context": ["a"]},
        {"input": "q2", "actual_output": "a"},
    ]
    assert evaluate(mixed, [Faithfulness()]).results[1][0].error is not None
    assert evaluate(mixed, [Faithfulness()], on_missing="skip").results[1][0].skipped
    assert evaluate(mixed, preset="rag").results[1][-1].skipped
    judge = ScriptedJudge()
    with pytest.raises(MissingField, match="Faithfulness needs"):
        evaluate(mixed, [Faithfulness()], on_missing="raise", judge=judge)
    assert judge.prompts == []


def test_unknown_preset_raises_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match=r"no preset named 'raag'\. Did you mean 'rag'"):
        evaluate(CASES, preset="raag")


def test_plan_records_prompts_for_a_model_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    report = evaluate(CASES[:1], "answer_relevancy", judge="openai", measurement_timeout=0.2)
    assert set(report.run.plan.prompts) == {"ExtractStatements", "JudgeStatements"}
    assert "sk-test" not in report.run.model_dump_json()
    assert report.results[0][0].error is not None


def test_combined_presets_measure_shared_metrics_once() -> None:
    report = evaluate("demo", preset="rag,ragas", limit=1)
    specs = [result.spec for result in report.results[0]]
    assert len(specs) == len(set(specs))
    assert "faithfulness" in specs
    assert any(spec.startswith("answer_accuracy(") for spec in specs)
    assert "RagasScore is left out: the judge local cannot measure it." in report.run.notes
    with pytest.raises(UnknownName, match="no preset named 'raga'"):
        evaluate("demo", preset="rag,raga")


def test_metric_that_the_judge_cannot_measure_is_refused_before_it_is_asked() -> None:
    with pytest.raises(
        BadOption, match=r"judge local cannot measure SemanticAnswerRelevancy: .*--judge ollama"
    ):
        evaluate("demo", ["faithfulness", "semantic_answer_relevancy"], limit=1)
    with pytest.raises(BadOption, match="cannot measure Bias, Toxicity"):
        evaluate("demo", ["bias", "toxicity"], limit=1)


def test_threshold_holds_for_named_metrics_and_for_those_of_a_preset() -> None:
    case = TestCase(input="q", actual_output="a", retrieved_ids=["x"], relevant_ids=["x"])
    report = evaluate([case], "recall,mrr(threshold=0.3)", threshold=0.8)
    assert report.run.plan.metrics == ("recall(threshold=0.8)", "mrr(threshold=0.3)")
    report = evaluate([case], preset="rag", threshold=0.7)
    assert {result.threshold for _, result in report.flat()} == {0.7}
    with pytest.raises(BadOption, match=r"threshold=1\.5: input should be less"):
        evaluate([case], "recall", threshold=1.5)


def test_a_class_where_test_cases_are_meant_is_told() -> None:
    with pytest.raises(BadDataset, match="TestCase is a class, not test cases"):
        evaluate(TestCase, "recall")
    case = TestCase(input="q", retrieved_ids=["x"], relevant_ids=["x"])
    report = evaluate([case, TestCase], "recall")
    assert "row 2: TestCase is a class, not a test case" in report.rejected[0]


@for_each("kind", ["function", "coroutine"])
def test_a_function_or_a_coroutine_is_a_judge(kind: str) -> None:
    async def answer_later(prompt: str) -> str:
        return '{"claims": ["Paris is the capital."]}' if "claims" in prompt else "no JSON"

    def answer(prompt: str) -> str:
        return '{"claims": ["Paris is the capital."]}' if "claims" in prompt else "no JSON"

    case = TestCase(input="q", actual_output="Paris.", retrieval_context=["Paris."])
    report = evaluate([case], "faithfulness", judge=answer if kind == "function" else answer_later)
    assert report.run.plan.judge.startswith("function:")
    assert report.usage.calls >= 1


def test_printed_report_says_why_measurements_failed_and_which_rows_were_not_read() -> None:
    def silent(prompt: str) -> str:
        del prompt
        return "no JSON"

    case = TestCase(input="q", actual_output="a", retrieval_context=["p"])
    printed = " ".join(str(evaluate([case, {"question": ""}], "faithfulness", judge=silent)).split())
    assert "NOT MEASURED 1 result, not in the means" in printed
    assert "UnreadableAnswer ExtractClaims was asked 3 times without a valid answer" in printed
    assert "not read: the list, row 2: input" in printed
