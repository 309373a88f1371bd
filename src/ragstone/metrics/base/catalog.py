"""The built-in metrics: the modules of `ragstone.metrics`, one metric each, and the groups of metrics."""

from pathlib import Path
from pkgutil import iter_modules

_ACRONYMS = {"mrr": "MRR", "ndcg": "NDCG"}


def _built_in() -> dict[str, str]:
    """Return each metric's module and class by its name, which is that of its file."""
    modules = iter_modules([str(Path(__file__).parents[1])])
    names = sorted(module.name for module in modules if not module.ispkg)
    return {name: f"ragstone.metrics.{name}:{_class_name(name)}" for name in names}


def _class_name(name: str) -> str:
    return _ACRONYMS.get(name) or "".join(word.capitalize() for word in name.split("_"))


BUILT_IN = _built_in()
"""Module and class of each metric, by its name."""

PRESETS = {
    "review": ("answer_acceptance", "context_sufficiency"),
    "rag": (
        "answer_acceptance",
        "context_sufficiency",
        "faithfulness(threshold=1.0)",
        "answer_relevancy",
        "answer_accuracy(wordings=1)",
        "contextual_recall",
        "contextual_precision",
        "contextual_relevancy",
    ),
    "deepeval": (
        "contextual_precision",
        "contextual_recall",
        "contextual_relevancy(threshold=0.5)",
        "answer_relevancy",
        "faithfulness(evidence='truths', penalize_ambiguous_claims=False)",
        "hallucination",
    ),
    "ragas": (
        "faithfulness",
        "semantic_answer_relevancy",
        "contextual_precision",
        "contextual_recall",
        "ragas_score",
    ),
    "ragchecker": (
        "rag_checker(figure='precision')",
        "rag_checker(figure='recall')",
        "rag_checker",
        "rag_checker(figure='claim_recall')",
        "rag_checker(figure='context_precision')",
        "rag_checker(figure='context_utilization')",
        "rag_checker(figure='noise_sensitivity_in_relevant')",
        "rag_checker(figure='noise_sensitivity_in_irrelevant')",
        "rag_checker(figure='hallucination')",
        "rag_checker(figure='self_knowledge')",
        "rag_checker(figure='faithfulness')",
    ),
    "diagnosis": (
        "rag_checker",
        "rag_checker(figure='claim_recall')",
        "rag_checker(figure='hallucination')",
        "faithfulness",
        "abstention",
    ),
    "conversation": (
        "faithfulness(threshold=1.0, per_turn=True)",
        "answer_relevancy(per_turn=True)",
        "contextual_recall(per_turn=True)",
        "contextual_relevancy(per_turn=True)",
        "turn_relevancy",
        "knowledge_retention",
        "conversation_completeness",
    ),
    "triad": ("context_relevance", "groundedness", "answer_relevance"),
}
"""Groups of metrics; a metric of a preset is left out if no test case has the fields that it needs."""

DEFAULT_PRESET = "rag"
"""The metrics of a run for which none are named."""
