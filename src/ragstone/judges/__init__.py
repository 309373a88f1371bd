"""Judges answer prompts: a language model, the embedded model, a script."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.judges.base import Judge, JudgeLike, Reply
    from ragstone.judges.cache.sqlite_file import CacheWarning
    from ragstone.judges.cached import CachedJudge
    from ragstone.judges.cascade import CascadeJudge
    from ragstone.judges.catalog import get_judge
    from ragstone.judges.decision_model import DecisionJudge
    from ragstone.judges.detection.decision_server import DecisionServer
    from ragstone.judges.detection.detector import Detection, Detector
    from ragstone.judges.detection.llama_rerank import LlamaRerankDetector
    from ragstone.judges.detection.tei import TEIDetector
    from ragstone.judges.detection.vllm import VLLMDetector
    from ragstone.judges.detector import DetectorJudge
    from ragstone.judges.jury import JuryJudge
    from ragstone.judges.limits import JudgeLimits
    from ragstone.judges.llm import LLMJudge
    from ragstone.judges.local import LocalJudge
    from ragstone.judges.scripted import ScriptedJudge
    from ragstone.judges.tuned import TunedJudge

_EXPORTS = {
    "CacheWarning": "ragstone.judges.cache.sqlite_file:CacheWarning",
    "CachedJudge": "ragstone.judges.cached:CachedJudge",
    "CascadeJudge": "ragstone.judges.cascade:CascadeJudge",
    "DecisionJudge": "ragstone.judges.decision_model:DecisionJudge",
    "DecisionServer": "ragstone.judges.detection.decision_server:DecisionServer",
    "Detection": "ragstone.judges.detection.detector:Detection",
    "Detector": "ragstone.judges.detection.detector:Detector",
    "DetectorJudge": "ragstone.judges.detector:DetectorJudge",
    "Inquiry": "ragstone.engine.context:MetricContext",  # the name until 0.1
    "MetricContext": "ragstone.engine.context:MetricContext",
    "Judge": "ragstone.judges.base:Judge",
    "JudgeLike": "ragstone.judges.base:JudgeLike",
    "JudgeLimits": "ragstone.judges.limits:JudgeLimits",
    "JuryJudge": "ragstone.judges.jury:JuryJudge",
    "Limits": "ragstone.judges.limits:JudgeLimits",  # the name until 0.1
    "LlamaRerankDetector": "ragstone.judges.detection.llama_rerank:LlamaRerankDetector",
    "LLMJudge": "ragstone.judges.llm:LLMJudge",
    "LocalJudge": "ragstone.judges.local:LocalJudge",
    "Reply": "ragstone.judges.base:Reply",
    "ScriptedJudge": "ragstone.judges.scripted:ScriptedJudge",
    "TEIDetector": "ragstone.judges.detection.tei:TEIDetector",
    "TunedJudge": "ragstone.judges.tuned:TunedJudge",
    "VLLMDetector": "ragstone.judges.detection.vllm:VLLMDetector",
    "get_judge": "ragstone.judges.catalog:get_judge",
}

__all__ = [
    "CacheWarning",
    "CachedJudge",
    "CascadeJudge",
    "DecisionJudge",
    "DecisionServer",
    "Detection",
    "Detector",
    "DetectorJudge",
    "Judge",
    "JudgeLike",
    "JudgeLimits",
    "JuryJudge",
    "LLMJudge",
    "LlamaRerankDetector",
    "LocalJudge",
    "Reply",
    "ScriptedJudge",
    "TEIDetector",
    "TunedJudge",
    "VLLMDetector",
    "get_judge",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
