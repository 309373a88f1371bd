"""ragstone's scores of the cases: whole metrics with a scripted judge, so that its contract holds."""
# ruff: noqa: ANN401  (cases are plain JSON; options are passed through)

from typing import Any

from ragstone import TestCase, ToolCall
from ragstone import metrics as our
from ragstone.judges import ScriptedJudge
from ragstone.metrics.base.parse import parse
from ragstone.metrics.shared import claim_matrix as matrix
from ragstone.prompts import (
    AnswerQuestions,
    AttributeStatements,
    ExtractClaims,
    ExtractOpinions,
    ExtractStatements,
    ExtractTruths,
    FillForm,
    JudgeAgreement,
    JudgeAspect,
    JudgeBias,
    JudgeClaims,
    JudgeInstructions,
    JudgePassages,
    JudgeStatements,
    JudgeUsefulness,
    RateAccuracy,
    WriteQuestions,
)
from ragstone.verdict import Verdict

Case = dict[str, Any]
ALIKE = {"borderline": "idk"}


def scored(metric: our.Metric, judge: ScriptedJudge, **fields: Any) -> float | None:
    case = TestCase.model_validate({"input": "q", "actual_output": "a", "expected_output": "e", **fields})
    return metric.measure(case, judge).score


def decisions(said: list[Any]) -> dict[str, Any]:
    return {"verdicts": [{"reason": None, "verdict": word(item)} for item in said]}


def word(item: Any) -> str:
    return {1: "yes", 0: "no"}[item] if isinstance(item, int) else item


def verdicts(said: list[Any]) -> list[Verdict]:
    return [Verdict("s", word(item)) for item in said]  # type: ignore[arg-type]


def texts(count: int) -> list[str]:
    return [f"item {number}" for number in range(count)]


def on_texts(metric: our.Metric, case: Case) -> float:
    return metric.score(case["actual"], case["expected"]).value  # type: ignore[attr-defined]


def ragas_faithfulness(case: Case) -> float | None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": texts(case["claims"])})
    judge.respond(JudgeClaims, decisions(case["verdicts"]))
    metric = parse("faithfulness(evidence='context', penalize_ambiguous_claims=True)")
    return scored(metric, judge, retrieval_context=["p"])


def ragas_context_precision(case: Case) -> float | None:
    judge = ScriptedJudge().respond(JudgeUsefulness, decisions(case["verdicts"]))
    return scored(our.ContextualPrecision(), judge, retrieval_context=texts(len(case["verdicts"])))


def ragas_context_recall(case: Case) -> float | None:
    made = [
        {"statement": "s", "reason": None, "verdict": word(item), "passage": None}
        for item in case["verdicts"]
    ]
    judge = ScriptedJudge().respond(AttributeStatements, {"verdicts": made})
    return scored(our.ContextualRecall(), judge, retrieval_context=["p"])


def ragas_answer_relevancy(case: Case) -> float:
    metric = our.SemanticAnswerRelevancy()
    return metric.score(texts(3), case["cosines"], noncommittal=case["noncommittal"]).value


def ragas_answer_correctness(case: Case) -> float:
    said, wanted = verdicts(case["said"]), verdicts(case["wanted"])
    return our.AnswerCorrectness(compat="ragas").score(said, wanted, case["similarity"]).value


def ragas_factual_correctness(case: Case, compat: Any = None) -> float:
    said, wanted = verdicts(case["said"]), verdicts(case["wanted"])
    return our.FactualCorrectness(mode=case["mode"], compat=compat).score(said, wanted).value


def ragas_noise_sensitivity(case: Case) -> float:
    def side(rows: list[list[int]], follows: tuple[bool, ...]) -> matrix.TextClaims:
        found = tuple(frozenset(n for n, bit in enumerate(row, 1) if bit) for row in rows)
        return matrix.TextClaims(claims=tuple(texts(len(rows))), by_other=follows, by_passage=found)

    filled = matrix.ClaimMatrix(
        actual=side(case["said_by"], tuple(map(bool, case["right"]))),
        expected=side(case["wanted_by"], ()),
        passages=len(case["said_by"][0]),
    )
    return our.NoiseSensitivity(mode=case["mode"]).score(filled).value


def ragas_context_entity_recall(case: Case) -> float:
    return our.ContextEntityRecall().score(case["wanted"], case["found"]).value


def ragas_summarization_score(case: Case, compat: Any = None) -> float:
    metric = our.SummarizationScore(length_penalty=case["length_penalty"], compat=compat)
    return metric.score(verdicts(case["verdicts"]), case["summary"], case["source"]).value


def ragas_aspect_critique(case: Case) -> float | None:
    votes = [{"reason": "r", "verdict": word(vote)} for vote in case["votes"]]
    judge = ScriptedJudge().respond(JudgeAspect, votes)
    return scored(our.AspectCritique(name="coherence", strictness=case["strictness"]), judge)


def ragas_answer_accuracy(case: Case) -> float | None:
    judge = ScriptedJudge().respond(
        RateAccuracy, [{"reason": "r", "score": rating} for rating in case["ratings"]]
    )
    return scored(our.AnswerAccuracy(), judge)


def ragas_bleu(case: Case, compat: Any = None) -> float:
    return on_texts(our.Bleu(compat=compat), case)


def ragas_rouge(case: Case) -> float:
    return on_texts(our.Rouge(stemmer=True), case)


def ragas_chrf(case: Case) -> float:
    return on_texts(our.Chrf(), case)


def ragas_edit_similarity(case: Case) -> float:
    return on_texts(our.EditSimilarity(distance=case["distance"]), case)


def ragas_string_presence(case: Case) -> float:
    return on_texts(our.StringPresence(), case)


def deepeval_answer_relevancy(case: Case) -> float | None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": texts(len(case["verdicts"]))})
    return scored(our.AnswerRelevancy(), judge.respond(JudgeStatements, decisions(case["verdicts"])))


def deepeval_faithfulness(case: Case) -> float | None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": texts(case["claims"])})
    judge.respond(ExtractTruths, {"truths": ["t"]}).respond(JudgeClaims, decisions(case["verdicts"]))
    metric = our.Faithfulness(penalize_ambiguous_claims=case["penalize"])
    return scored(metric, judge, retrieval_context=["p"])


def deepeval_contextual_precision(case: Case) -> float | None:
    judge = ScriptedJudge().respond(JudgeUsefulness, decisions(case["verdicts"]))
    return scored(our.ContextualPrecision(), judge, retrieval_context=texts(case["passages"]))


def deepeval_contextual_recall(case: Case) -> float | None:
    return ragas_context_recall(case)


def deepeval_contextual_relevancy(case: Case) -> float | None:
    made = [
        {"passage": number, "statement": "s", "reason": None, "verdict": item}
        for number, said in enumerate(case["verdicts"], 1)
        for item in said
    ]
    judge = ScriptedJudge().respond(JudgePassages, {"verdicts": made})
    return scored(our.ContextualRelevancy(), judge, retrieval_context=texts(len(case["verdicts"])))


def deepeval_hallucination(case: Case) -> float | None:
    judge = ScriptedJudge().respond(JudgeAgreement, decisions(case["verdicts"]))
    return scored(our.Hallucination(), judge, context=texts(len(case["verdicts"])))


def deepeval_bias(case: Case) -> float | None:
    judge = ScriptedJudge().respond(ExtractOpinions, {"opinions": texts(len(case["verdicts"]))})
    return scored(our.Bias(), judge.respond(JudgeBias, decisions(case["verdicts"])))


def deepeval_prompt_alignment(case: Case) -> float | None:
    judge = ScriptedJudge().respond(JudgeInstructions, decisions(case["verdicts"]))
    return scored(our.PromptAlignment(instructions=texts(case["instructions"])), judge)


def deepeval_summarization(case: Case) -> float | None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": texts(len(case["verdicts"]))})
    judge.respond(JudgeClaims, decisions(case["verdicts"]))
    judge.respond(WriteQuestions, {"questions": texts(len(case["by_source"]))})
    judge.respond(r"(?s)Answer each.*\| SOURCE", decisions(case["by_source"]))
    judge.respond(AnswerQuestions, decisions(case["by_summary"]))
    return scored(our.Summarization(), judge, input="SOURCE")


def deepeval_g_eval(case: Case) -> float | None:
    judge = ScriptedJudge().respond(FillForm, {"reason": "r", "score": case["score"]})
    return scored(our.GEval(name="g", evaluation_steps=["Look."]), judge)


def deepeval_tool_correctness(case: Case, compat: Any = None) -> float:
    metric = our.ToolCorrectness(
        check_parameters=True,
        should_exact_match=case["mode"] == "exact",
        should_consider_ordering=case["mode"] == "ordered",
        compat=compat,
    )
    called, expected = (
        [ToolCall.model_validate(call) for call in case[side]] for side in ("called", "expected")
    )
    return metric.score(called, expected).value
