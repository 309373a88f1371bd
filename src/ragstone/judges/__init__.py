"""Who answers a prompt: a language model, the embedded model, a script."""

from typing import TYPE_CHECKING, Any

from ragstone.plugins import load

if TYPE_CHECKING:
    from ragstone.judges._base import Judge, Reply
    from ragstone.judges._catalog import get_judge
    from ragstone.judges._database import CacheWarning
    from ragstone.judges._inquiry import Inquiry
    from ragstone.judges._limits import Limits
    from ragstone.judges.cached import CachedJudge
    from ragstone.judges.jury import JuryJudge
    from ragstone.judges.llm import LLMJudge
    from ragstone.judges.local import LocalJudge
    from ragstone.judges.scripted import ScriptedJudge

_PLACES = {
    "CacheWarning": "ragstone.judges._database:CacheWarning",
    "CachedJudge": "ragstone.judges.cached:CachedJudge",
    "Inquiry": "ragstone.judges._inquiry:Inquiry",
    "Judge": "ragstone.judges._base:Judge",
    "Limits": "ragstone.judges._limits:Limits",
    "JuryJudge": "ragstone.judges.jury:JuryJudge",
    "LLMJudge": "ragstone.judges.llm:LLMJudge",
    "LocalJudge": "ragstone.judges.local:LocalJudge",
    "Reply": "ragstone.judges._base:Reply",
    "ScriptedJudge": "ragstone.judges.scripted:ScriptedJudge",
    "get_judge": "ragstone.judges._catalog:get_judge",
}

__all__ = [
    "CacheWarning",
    "CachedJudge",
    "Inquiry",
    "Judge",
    "JuryJudge",
    "LLMJudge",
    "Limits",
    "LocalJudge",
    "Reply",
    "ScriptedJudge",
    "get_judge",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _PLACES:
        return load(_PLACES[name])
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
