"""How a test case is scored: one metric a file, named after it."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports
from ragstone.metrics.base.catalog import BUILT_IN

if TYPE_CHECKING:
    from ragstone.metrics.abstention import Abstention as Abstention
    from ragstone.metrics.answer_acceptance import AnswerAcceptance as AnswerAcceptance
    from ragstone.metrics.answer_accuracy import AnswerAccuracy as AnswerAccuracy
    from ragstone.metrics.answer_correctness import AnswerCorrectness as AnswerCorrectness
    from ragstone.metrics.answer_relevance import AnswerRelevance as AnswerRelevance
    from ragstone.metrics.answer_relevancy import AnswerRelevancy as AnswerRelevancy
    from ragstone.metrics.answered_parts import AnsweredParts as AnsweredParts
    from ragstone.metrics.argument_correctness import ArgumentCorrectness as ArgumentCorrectness
    from ragstone.metrics.aspect_critique import AspectCritique as AspectCritique
    from ragstone.metrics.average_precision import AveragePrecision as AveragePrecision
    from ragstone.metrics.base.metric import Metric as Metric
    from ragstone.metrics.base.parse import parse as parse
    from ragstone.metrics.bias import Bias as Bias
    from ragstone.metrics.bleu import Bleu as Bleu
    from ragstone.metrics.chrf import Chrf as Chrf
    from ragstone.metrics.citation_form import CitationForm as CitationForm
    from ragstone.metrics.citation_precision import CitationPrecision as CitationPrecision
    from ragstone.metrics.citation_recall import CitationRecall as CitationRecall
    from ragstone.metrics.classify import Classify as Classify
    from ragstone.metrics.context_entity_recall import ContextEntityRecall as ContextEntityRecall
    from ragstone.metrics.context_relevance import ContextRelevance as ContextRelevance
    from ragstone.metrics.context_sufficiency import ContextSufficiency as ContextSufficiency
    from ragstone.metrics.context_utilization import ContextUtilization as ContextUtilization
    from ragstone.metrics.contextual_precision import ContextualPrecision as ContextualPrecision
    from ragstone.metrics.contextual_recall import ContextualRecall as ContextualRecall
    from ragstone.metrics.contextual_relevancy import ContextualRelevancy as ContextualRelevancy
    from ragstone.metrics.conversation_completeness import (
        ConversationCompleteness as ConversationCompleteness,
    )
    from ragstone.metrics.cost import Cost as Cost
    from ragstone.metrics.decision_tree import DecisionTree as DecisionTree
    from ragstone.metrics.edit_similarity import EditSimilarity as EditSimilarity
    from ragstone.metrics.errors import Errors as Errors
    from ragstone.metrics.exact_match import ExactMatch as ExactMatch
    from ragstone.metrics.factual_correctness import FactualCorrectness as FactualCorrectness
    from ragstone.metrics.faithfulness import Faithfulness as Faithfulness
    from ragstone.metrics.g_eval import GEval as GEval
    from ragstone.metrics.groundedness import Groundedness as Groundedness
    from ragstone.metrics.hallucination import Hallucination as Hallucination
    from ragstone.metrics.hit_rate import HitRate as HitRate
    from ragstone.metrics.joint_context_relevance import JointContextRelevance as JointContextRelevance
    from ragstone.metrics.json_correctness import JsonCorrectness as JsonCorrectness
    from ragstone.metrics.knowledge_retention import KnowledgeRetention as KnowledgeRetention
    from ragstone.metrics.latency import Latency as Latency
    from ragstone.metrics.length import Length as Length
    from ragstone.metrics.mrr import MRR as MRR
    from ragstone.metrics.ndcg import NDCG as NDCG
    from ragstone.metrics.noise_sensitivity import NoiseSensitivity as NoiseSensitivity
    from ragstone.metrics.pattern_match import PatternMatch as PatternMatch
    from ragstone.metrics.pii_leakage import PiiLeakage as PiiLeakage
    from ragstone.metrics.precision import Precision as Precision
    from ragstone.metrics.prompt_alignment import PromptAlignment as PromptAlignment
    from ragstone.metrics.rag_checker import RagChecker as RagChecker
    from ragstone.metrics.ragas_score import RagasScore as RagasScore
    from ragstone.metrics.recall import Recall as Recall
    from ragstone.metrics.redundant_calls import RedundantCalls as RedundantCalls
    from ragstone.metrics.response_groundedness import ResponseGroundedness as ResponseGroundedness
    from ragstone.metrics.role_adherence import RoleAdherence as RoleAdherence
    from ragstone.metrics.rouge import Rouge as Rouge
    from ragstone.metrics.rubric_score import RubricScore as RubricScore
    from ragstone.metrics.semantic_answer_relevancy import SemanticAnswerRelevancy as SemanticAnswerRelevancy
    from ragstone.metrics.semantic_similarity import SemanticSimilarity as SemanticSimilarity
    from ragstone.metrics.step_efficiency import StepEfficiency as StepEfficiency
    from ragstone.metrics.string_presence import StringPresence as StringPresence
    from ragstone.metrics.summarization import Summarization as Summarization
    from ragstone.metrics.summarization_score import SummarizationScore as SummarizationScore
    from ragstone.metrics.task_completion import TaskCompletion as TaskCompletion
    from ragstone.metrics.tokens import Tokens as Tokens
    from ragstone.metrics.tool_correctness import ToolCorrectness as ToolCorrectness
    from ragstone.metrics.tool_errors import ToolErrors as ToolErrors
    from ragstone.metrics.tool_permission import ToolPermission as ToolPermission
    from ragstone.metrics.toxicity import Toxicity as Toxicity
    from ragstone.metrics.trajectory_match import TrajectoryMatch as TrajectoryMatch
    from ragstone.metrics.turn_relevancy import TurnRelevancy as TurnRelevancy
    from ragstone.score import Score as Score

_EXPORTS = {path.partition(":")[2]: path for path in BUILT_IN.values()} | {
    "Metric": "ragstone.metrics.base.metric:Metric",
    "Score": "ragstone.score:Score",
    "parse": "ragstone.metrics.base.parse:parse",
}

__all__ = list(_EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]  (the names imported above)

__getattr__ = lazy_exports(__name__, _EXPORTS)
