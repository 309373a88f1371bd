"""DeepEval's scores of the cases. Runs in the peer's environment: cases on stdin, scores on stdout."""
# ruff: noqa: ANN001, ANN003, ANN201, ANN204, ARG002, D102
# It runs without ragstone and its type checker, and calls private functions of the peer.

import json
import os
import sys

os.environ |= {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
}

from deepeval import metrics as theirs
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase, SingleTurnParams, ToolCall, ToolCallParams


class Scripted(DeepEvalBaseLLM):
    """Answers each schema by its name; the answers of a list are returned in turn."""

    def __init__(self, **answers):
        self.answers = answers
        super().__init__("scripted")

    def load_model(self):
        return self

    def get_model_name(self):
        return "scripted"

    def generate(self, prompt, schema=None):
        answer = self.answers[schema.__name__]
        if isinstance(answer, list):
            answer = answer.pop(0)
        return schema.model_validate(answer)

    async def a_generate(self, prompt, schema=None):
        return self.generate(prompt, schema)


def measured(metric, **fields):
    case = LLMTestCase(**{"input": "q", "actual_output": "a", **fields})
    return metric.measure(case, _show_indicator=False)


def verdicts(said, **more):
    return {"verdicts": [{"verdict": word, "reason": "r", **more} for word in said]}


def options(**answers):
    return {"model": Scripted(**answers), "include_reason": False, "async_mode": False}


def answer_relevancy(case):
    said = case["verdicts"]
    answers = {"Statements": {"statements": ["s"] * len(said)}, "Verdicts": verdicts(said)}
    return measured(theirs.AnswerRelevancyMetric(**options(**answers)))


def faithfulness(case):
    answers = {
        "Truths": {"truths": ["t"]},
        "Claims": {"claims": ["c"] * case["claims"]},
        "Verdicts": verdicts(case["verdicts"]),
    }
    metric = theirs.FaithfulnessMetric(penalize_ambiguous_claims=case["penalize"], **options(**answers))
    return measured(metric, retrieval_context=["p"])


def contextual_precision(case):
    metric = theirs.ContextualPrecisionMetric(**options(Verdicts=verdicts(case["verdicts"])))
    return measured(metric, expected_output="e", retrieval_context=["p"] * case["passages"])


def contextual_recall(case):
    metric = theirs.ContextualRecallMetric(**options(Verdicts=verdicts(case["verdicts"])))
    return measured(metric, expected_output="e", retrieval_context=["p"])


def contextual_relevancy(case):
    answers = [verdicts(said, statement="s") for said in case["verdicts"]]
    metric = theirs.ContextualRelevancyMetric(**options(ContextualRelevancyVerdicts=answers))
    return measured(metric, retrieval_context=["p"] * len(case["verdicts"]))


def hallucination(case):
    metric = theirs.HallucinationMetric(**options(Verdicts=verdicts(case["verdicts"])))
    return measured(metric, context=["p"] * len(case["verdicts"]))


def bias(case):
    said = case["verdicts"]
    answers = {"Opinions": {"opinions": ["o"] * len(said)}, "Verdicts": verdicts(said)}
    return measured(theirs.BiasMetric(**options(**answers)))


def prompt_alignment(case):
    told = ["Be kind."] * case["instructions"]
    return measured(theirs.PromptAlignmentMetric(told, **options(Verdicts=verdicts(case["verdicts"]))))


def summarization(case):
    answers = {
        "Truths": {"truths": ["t"]},
        "Claims": {"claims": ["c"] * len(case["verdicts"])},
        "Verdicts": verdicts(case["verdicts"]),
        "Questions": {"questions": ["q?"] * len(case["by_source"])},
        "Answers": [{"answers": case["by_source"]}, {"answers": case["by_summary"]}],
    }
    return measured(theirs.SummarizationMetric(**options(**answers)))


def g_eval(case):
    metric = theirs.GEval(
        name="g",
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT],
        evaluation_steps=["Look."],
        model=Scripted(ReasonScore={"reason": "r", "score": case["score"]}),
        async_mode=False,
    )
    return measured(metric)


def tool_correctness(case):
    metric = theirs.ToolCorrectnessMetric(
        evaluation_params=[ToolCallParams.INPUT_PARAMETERS],
        should_exact_match=case["mode"] == "exact",
        should_consider_ordering=case["mode"] == "ordered",
        **options(),
    )
    calls = {name: [ToolCall(**call) for call in case[side]] for name, side in NAMES.items()}
    return measured(metric, **calls)


NAMES = {"tools_called": "called", "expected_tools": "expected"}


def main():
    scores = {}
    for case in json.load(sys.stdin):
        try:
            scores[case["id"]] = float(globals()[case["metric"]](case))
        except Exception as error:  # noqa: BLE001  (failures are compared too)
            scores[case["id"]] = f"{type(error).__name__}: {str(error)[:120]}"
    sys.stderr.flush()
    json.dump(scores, sys.__stdout__)


main()
