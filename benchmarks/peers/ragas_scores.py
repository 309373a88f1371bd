"""Ragas' scores of the cases. Runs in the peer's environment: cases on stdin, scores on stdout."""
# ruff: noqa: ARG005, N806, ANN001, ANN003, ANN201, ANN202, ARG001, SLF001
# It runs without ragstone and its type checker, and calls private functions of the peer.

import asyncio
import json
import os
import sys

os.environ["RAGAS_DO_NOT_TRACK"] = "true"

import numpy as np
from ragas import SingleTurnSample
from ragas import metrics as theirs
from ragas.metrics._answer_correctness import ClassificationWithReason
from ragas.metrics._aspect_critic import AspectCriticOutput
from ragas.metrics._context_precision import Verification
from ragas.metrics._context_recall import ContextRecallClassification
from ragas.metrics._faithfulness import NLIStatementOutput, StatementFaithfulnessAnswer
from ragas.metrics._nv_metrics import AnswerAccuracy
from ragas.metrics._string import DistanceMeasure


def faithfulness(case):
    made = [StatementFaithfulnessAnswer(statement="s", reason="r", verdict=v) for v in case["verdicts"]]
    return theirs.Faithfulness()._compute_score(NLIStatementOutput(statements=made))


def context_precision(case):
    made = [Verification(reason="r", verdict=v) for v in case["verdicts"]]
    return theirs.LLMContextPrecisionWithReference()._calculate_average_precision(made)


def context_recall(case):
    made = [ContextRecallClassification(statement="s", reason="r", attributed=v) for v in case["verdicts"]]
    return theirs.LLMContextRecall()._compute_score(made)


def answer_relevancy(case):
    metric = theirs.ResponseRelevancy()
    metric.calculate_similarity = lambda question, generated: np.array(case["cosines"])
    Said = type("Said", (), {"question": "q", "noncommittal": int(case["noncommittal"])})
    return metric._calculate_score([Said(), Said(), Said()], {"user_input": "q"})


def answer_correctness(case):
    said, wanted = case["said"], case["wanted"]
    item = {"statement": "s", "reason": "r"}
    made = ClassificationWithReason(
        TP=[item] * sum(said), FP=[item] * (len(said) - sum(said)), FN=[item] * (len(wanted) - sum(wanted))
    )
    facts = theirs.AnswerCorrectness()._compute_statement_presence(made) if said or wanted else 1.0
    return float(np.average([facts, case["similarity"]], weights=[0.75, 0.25]))


def factual_correctness(case):
    metric = theirs.FactualCorrectness(mode=case["mode"], llm=object())
    sides = {"actual": case["said"], "expected": case["wanted"]}

    async def checked(premise, text, callbacks):
        return np.array(sides[text], dtype=bool)

    metric.decompose_and_verify_claims = checked
    sample = SingleTurnSample(response="actual", reference="expected")
    return asyncio.run(metric._single_turn_ascore(sample, None))


def noise_sensitivity(case):
    answers = {
        "ground_truth2answer": np.array(case["right"], dtype=bool),
        "retrieved2answer": np.array(case["said_by"], dtype=bool),
        "retrieved2ground_truth": np.array(case["wanted_by"], dtype=bool),
    }
    return theirs.NoiseSensitivity(mode=case["mode"])._compute_score(answers)


def context_entity_recall(case):
    return theirs.ContextEntityRecall()._compute_score(case["wanted"], case["found"])


def summarization_score(case):
    metric = theirs.SummarizationScore(length_penalty=case["length_penalty"])
    scores = {"qa_score": metric._compute_qa_score([str(v) for v in case["verdicts"]])}
    if case["length_penalty"]:
        scores["conciseness_score"] = metric._compute_conciseness_score(
            "x" * case["source"], "y" * case["summary"]
        )
    return metric._compute_score(scores)


def aspect_critique(case):
    metric = theirs.AspectCritic(name="a", definition="d", strictness=case["strictness"], llm=object())
    votes = iter(case["votes"])

    class Prompt:
        async def generate(self, **_):
            return AspectCriticOutput(reason="r", verdict=next(votes))

    metric.single_turn_prompt = Prompt()
    return asyncio.run(metric._ascore({"user_input": "q", "response": "a"}, None))


def answer_accuracy(case):
    metric = AnswerAccuracy()
    return metric.average_scores(*(metric.process_score(text) for text in case["texts"]))


def _of_texts(metric):
    def score(case):
        sample = SingleTurnSample(response=case["actual"], reference=case["expected"])
        return asyncio.run(metric._single_turn_ascore(sample, None))

    return score


bleu, rouge, chrf = (
    _of_texts(theirs.BleuScore()),
    _of_texts(theirs.RougeScore()),
    _of_texts(theirs.ChrfScore()),
)
string_presence = _of_texts(theirs.StringPresence())


def edit_similarity(case):
    return _of_texts(theirs.NonLLMStringSimilarity(distance_measure=DistanceMeasure(case["distance"])))(case)


def main():
    scores = {}
    for case in json.load(sys.stdin):
        try:
            scores[case["id"]] = float(globals()[case["metric"]](case))
        except Exception as error:  # noqa: BLE001  (failures are compared too)
            scores[case["id"]] = f"{type(error).__name__}: {error}"
    json.dump(scores, sys.stdout)


main()
