"""Test sets drafted from documents: questions, expected outputs, relevant passages, and the outcomes of the checks.

Each question is based on a verbatim quote. See `docs/how-to/draft-a-test-set.md` for usage.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.drafts.coverage import CoverageLine as CoverageLine
    from ragstone.drafts.coverage import DraftCoverage as DraftCoverage
    from ragstone.drafts.drafting import DraftSet as DraftSet
    from ragstone.drafts.drafting import adraft as adraft
    from ragstone.drafts.drafting import draft as draft
    from ragstone.drafts.figures import DraftFigures as DraftFigures
    from ragstone.drafts.figures import YieldTable as YieldTable
    from ragstone.drafts.passage import DraftPassage as DraftPassage

_MODULES = {
    "coverage": ("CoverageLine", "DraftCoverage"),
    "drafting": ("DraftSet", "adraft", "draft"),
    "figures": ("DraftFigures", "YieldTable"),
    "passage": ("DraftPassage",),
}
"""The public names of each module."""

_EXPORTS = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}

__all__ = list(_EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]  (the names imported above)

__getattr__ = lazy_exports(__name__, _EXPORTS)
