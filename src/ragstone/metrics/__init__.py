"""How a test case is scored: one metric a file, named after it."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports
from ragstone.metrics.base.catalog import BUILT_IN

if TYPE_CHECKING:
    from ragstone.metrics.abstention import Abstention
    from ragstone.metrics.answer_acceptance import AnswerAcceptance
    from ragstone.metrics.answer_accuracy import AnswerAccuracy
    from ragstone.metrics.answer_correctness import AnswerCorrectness
    from ragstone.metrics.answer_relevance import AnswerRelevance
    from ragstone.metrics.answer_relevancy import AnswerRelevancy
    from ragstone.metrics.answered_parts import AnsweredParts
    from ragstone.metrics.argument_correctness import ArgumentCorrectness
    from ragstone.metrics.aspect_critique import AspectCritique
    from ragstone.metrics.average_precision import AveragePrecision
    from ragstone.metrics.base.metric import Metric
    from ragstone.metrics.base.parse import parse
    from ragstone.metrics.bias import Bias
    from ragstone.metrics.bleu import Bleu
    from ragstone.metrics.chrf import Chrf
    from ragstone.metrics.citation_form import CitationForm
    from ragstone.metrics.citation_precision import CitationPrecision
    from ragstone.metrics.citation_recall import CitationRecall
    from ragstone.metrics.classify import Classify
    from ragstone.metrics.context_entity_recall import ContextEntityRecall
    from ragstone.metrics.context_relevance import ContextRelevance
    from ragstone.metrics.context_sufficiency import ContextSufficiency
    from ragstone.metrics.context_utilization import ContextUtilization
    from ragstone.metrics.contextual_precision import ContextualPrecision
    from ragstone.metrics.contextual_recall import ContextualRecall
    from ragstone.metrics.contextual_relevancy import ContextualRelevancy
    from ragstone.metrics.conversation_completeness import ConversationCompleteness
    from ragstone.metrics.cost import Cost
    from ragstone.metrics.decision_tree import DecisionTree
    from ragstone.metrics.edit_similarity import EditSimilarity
    from ragstone.metrics.errors import Errors
    from ragstone.metrics.exact_match import ExactMatch
    from ragstone.metrics.factual_correctness import FactualCorrectness
    from ragstone.metrics.faithfulness import Faithfulness
    from ragstone.metrics.g_eval import GEval
    from ragstone.metrics.groundedness import Groundedness
    from ragstone.metrics.hallucination import Hallucination
    from ragstone.metrics.hit_rate import HitRate
    from ragstone.metrics.joint_context_relevance import JointContextRelevance
    from ragstone.metrics.json_correctness import JsonCorrectness
    from ragstone.metrics.knowledge_retention import KnowledgeRetention
    from ragstone.metrics.latency import Latency
    from ragstone.metrics.length import Length
    from ragstone.metrics.mrr import MRR
    from ragstone.metrics.ndcg import NDCG
    from ragstone.metrics.noise_sensitivity import NoiseSensitivity
    from ragstone.metrics.pattern_match import PatternMatch
    from ragstone.metrics.pii_leakage import PiiLeakage
    from ragstone.metrics.precision import Precision
    from ragstone.metrics.prompt_alignment import PromptAlignment
    from ragstone.metrics.rag_checker import RagChecker
    from ragstone.metrics.ragas_score import RagasScore
    from ragstone.metrics.recall import Recall
    from ragstone.metrics.redundant_calls import RedundantCalls
    from ragstone.metrics.response_groundedness import ResponseGroundedness
    from ragstone.metrics.role_adherence import RoleAdherence
    from ragstone.metrics.rouge import Rouge
    from ragstone.metrics.rubric_score import RubricScore
    from ragstone.metrics.semantic_answer_relevancy import SemanticAnswerRelevancy
    from ragstone.metrics.semantic_similarity import SemanticSimilarity
    from ragstone.metrics.step_efficiency import StepEfficiency
    from ragstone.metrics.string_presence import StringPresence
    from ragstone.metrics.summarization import Summarization
    from ragstone.metrics.summarization_score import SummarizationScore
    from ragstone.metrics.task_completion import TaskCompletion
    from ragstone.metrics.tokens import Tokens
    from ragstone.metrics.tool_correctness import ToolCorrectness
    from ragstone.metrics.tool_errors import ToolErrors
    from ragstone.metrics.tool_permission import ToolPermission
    from ragstone.metrics.toxicity import Toxicity
    from ragstone.metrics.trajectory_match import TrajectoryMatch
    from ragstone.metrics.turn_relevancy import TurnRelevancy
    from ragstone.score import Score

_EXPORTS = {path.partition(":")[2]: path for path in BUILT_IN.values()} | {
    "Metric": "ragstone.metrics.base.metric:Metric",
    "Score": "ragstone.score:Score",
    "parse": "ragstone.metrics.base.parse:parse",
}

__all__ = [
    "MRR",
    "NDCG",
    "Abstention",
    "AnswerAcceptance",
    "AnswerAccuracy",
    "AnswerCorrectness",
    "AnswerRelevance",
    "AnswerRelevancy",
    "AnsweredParts",
    "ArgumentCorrectness",
    "AspectCritique",
    "AveragePrecision",
    "Bias",
    "Bleu",
    "Chrf",
    "CitationForm",
    "CitationPrecision",
    "CitationRecall",
    "Classify",
    "ContextEntityRecall",
    "ContextRelevance",
    "ContextSufficiency",
    "ContextUtilization",
    "ContextualPrecision",
    "ContextualRecall",
    "ContextualRelevancy",
    "ConversationCompleteness",
    "Cost",
    "DecisionTree",
    "EditSimilarity",
    "Errors",
    "ExactMatch",
    "FactualCorrectness",
    "Faithfulness",
    "GEval",
    "Groundedness",
    "Hallucination",
    "HitRate",
    "JointContextRelevance",
    "JsonCorrectness",
    "KnowledgeRetention",
    "Latency",
    "Length",
    "Metric",
    "NoiseSensitivity",
    "PatternMatch",
    "PiiLeakage",
    "Precision",
    "PromptAlignment",
    "RagChecker",
    "RagasScore",
    "Recall",
    "RedundantCalls",
    "ResponseGroundedness",
    "RoleAdherence",
    "Rouge",
    "RubricScore",
    "Score",
    "SemanticAnswerRelevancy",
    "SemanticSimilarity",
    "StepEfficiency",
    "StringPresence",
    "Summarization",
    "SummarizationScore",
    "TaskCompletion",
    "Tokens",
    "ToolCorrectness",
    "ToolErrors",
    "ToolPermission",
    "Toxicity",
    "TrajectoryMatch",
    "TurnRelevancy",
    "parse",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
