"""The embedded judge: support, relevance, contradiction, correctness, similarity; no language model."""

from typing import TYPE_CHECKING, Any

from ragstone.plugins import load

if TYPE_CHECKING:
    from ragstone.judges.local.judge import LocalJudge

__all__ = ["LocalJudge"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name == "LocalJudge":
        return load("ragstone.judges.local.judge:LocalJudge")
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
