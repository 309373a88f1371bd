"""The built-in metrics, and where each stands. A metric's name is its file's."""

BUILT_IN = {
    "answer_relevancy": "ragstone.metrics.answer_relevancy:AnswerRelevancy",
    "contextual_precision": "ragstone.metrics.contextual_precision:ContextualPrecision",
    "contextual_recall": "ragstone.metrics.contextual_recall:ContextualRecall",
    "contextual_relevancy": "ragstone.metrics.contextual_relevancy:ContextualRelevancy",
    "exact_match": "ragstone.metrics.exact_match:ExactMatch",
    "faithfulness": "ragstone.metrics.faithfulness:Faithfulness",
    "g_eval": "ragstone.metrics.g_eval:GEval",
    "hallucination": "ragstone.metrics.hallucination:Hallucination",
    "semantic_answer_relevancy": "ragstone.metrics.semantic_answer_relevancy:SemanticAnswerRelevancy",
}

PRESETS = {
    "rag": (
        "contextual_precision",
        "contextual_recall",
        "contextual_relevancy",
        "answer_relevancy",
        "faithfulness",
        "hallucination",
    ),
}
"""Groups of metrics; a metric of a preset that no test case can feed is left out."""
