"""The embedded judge: support, relevance, contradiction, correctness, similarity; no language model."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.judges.local.judge import LocalJudge

__all__ = ["LocalJudge"]

__getattr__ = lazy_exports(__name__, {"LocalJudge": "ragstone.judges.local.judge"})
