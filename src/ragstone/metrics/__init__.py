"""How a test case is scored: one metric a file, named after it."""

from typing import TYPE_CHECKING, Any

from ragstone.metrics._catalog import BUILT_IN
from ragstone.plugins import load

if TYPE_CHECKING:
    from ragstone.metrics._base import Metric
    from ragstone.metrics._score import Score
    from ragstone.metrics._spec import parse
    from ragstone.metrics.answer_relevancy import AnswerRelevancy
    from ragstone.metrics.contextual_precision import ContextualPrecision
    from ragstone.metrics.contextual_recall import ContextualRecall
    from ragstone.metrics.contextual_relevancy import ContextualRelevancy
    from ragstone.metrics.exact_match import ExactMatch
    from ragstone.metrics.faithfulness import Faithfulness
    from ragstone.metrics.g_eval import GEval
    from ragstone.metrics.hallucination import Hallucination
    from ragstone.metrics.semantic_answer_relevancy import SemanticAnswerRelevancy

_PLACES = {path.partition(":")[2]: path for path in BUILT_IN.values()} | {
    "Metric": "ragstone.metrics._base:Metric",
    "Score": "ragstone.metrics._score:Score",
    "parse": "ragstone.metrics._spec:parse",
}

__all__ = [
    "AnswerRelevancy",
    "ContextualPrecision",
    "ContextualRecall",
    "ContextualRelevancy",
    "ExactMatch",
    "Faithfulness",
    "GEval",
    "Hallucination",
    "Metric",
    "Score",
    "SemanticAnswerRelevancy",
    "parse",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _PLACES:
        return load(_PLACES[name])
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
