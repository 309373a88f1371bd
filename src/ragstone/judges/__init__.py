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
    from ragstone.judges.detection.detector import Detection, Detector
    from ragstone.judges.detection.served import LlamaRerankDetector, TEIDetector, VLLMDetector
    from ragstone.judges.detection.server import DecisionServer
    from ragstone.judges.detector import DetectorJudge
    from ragstone.judges.jury import JuryJudge
    from ragstone.judges.limits import JudgeLimits
    from ragstone.judges.llm import LLMJudge
    from ragstone.judges.local import LocalJudge
    from ragstone.judges.scripted import ScriptedJudge
    from ragstone.judges.tuned import TunedJudge

_MODULES = {
    "base": "Judge JudgeLike Reply",
    "cache.sqlite_file": "CacheWarning",
    "cached": "CachedJudge",
    "cascade": "CascadeJudge",
    "catalog": "get_judge",
    "decision_model": "DecisionJudge",
    "detection.detector": "Detection Detector",
    "detection.served": "LlamaRerankDetector TEIDetector VLLMDetector",
    "detection.server": "DecisionServer",
    "detector": "DetectorJudge",
    "jury": "JuryJudge",
    "limits": "JudgeLimits",
    "llm": "LLMJudge",
    "local": "LocalJudge",
    "scripted": "ScriptedJudge",
    "tuned": "TunedJudge",
}
"""The names of each module."""

__all__ = [
    "CacheWarning", "CachedJudge", "CascadeJudge", "DecisionJudge", "DecisionServer", "Detection",
    "Detector", "DetectorJudge", "Judge", "JudgeLike", "JudgeLimits", "JuryJudge", "LLMJudge",
    "LlamaRerankDetector", "LocalJudge", "Reply", "ScriptedJudge", "TEIDetector", "TunedJudge",
    "VLLMDetector", "get_judge",
]  # fmt: skip

_PLACES = {name: f"ragstone.judges.{module}" for module, names in _MODULES.items() for name in names.split()}
_PLACES["MetricContext"] = "ragstone.engine.context"

__getattr__ = lazy_exports(__name__, _PLACES)
